#include "columns/dictionaries/key_column.h"

#include <unordered_map>

#include "base/fail.h"
#include "values/cells.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

struct HashOfScalar {
  size_t operator()(const ScalarView& scalar) const {
    return std::visit(
        []<class T>(const T& value) {
          if constexpr (std::is_same_v<T, Int128>)
            return std::hash<uint64_t>()(static_cast<uint64_t>(value));
          else
            return std::hash<T>()(value);
        },
        scalar);
  }
};

std::vector<uint64_t> first_equal_of(const Values& values) {
  if (!has_scalars(values.type)) return {};
  const auto equal = [](const ScalarView& a, const ScalarView& b) { return compare(a, b) == 0; };
  std::unordered_map<ScalarView, uint64_t, HashOfScalar, decltype(equal)> keys(values.rows, {},
                                                                               equal);
  std::vector<uint64_t> first_equal(values.rows);
  bool any = false;
  for (uint64_t i = 0; i < values.rows; ++i) {
    const ScalarView value = canonical(scalar_at(values, i));
    const bool is_null = std::holds_alternative<std::monostate>(value);
    first_equal[i] = is_null ? 0 : keys.emplace(value, i + 1).first->second;
    any |= first_equal[i] != i + 1;
  }
  return any ? first_equal : std::vector<uint64_t>();
}

}  // namespace

const Values& KeyValues::values(const Context& context) const {
  once_.run([&] { batch_ = load_(context); });
  return batch_.columns.front();
}

const std::vector<uint64_t>& KeyValues::first_equal(const Context& context) const {
  first_equal_once_.run([&] { first_equal_ = first_equal_of(values(context)); });
  return first_equal_;
}

KeyColumn::KeyColumn(ColumnLabel label, ColumnPtr numbers, std::shared_ptr<const KeyValues> values)
    : Column(numbers->type(), numbers->rows(), std::move(label)),
      numbers_(std::move(numbers)),
      values_(std::move(values)) {}

Values KeyColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  const auto row_number = [first = rows.first](uint64_t i) { return first + i; };
  return with_values(numbers_->read(rows, arena, context), row_number, arena, context);
}

Values KeyColumn::take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const {
  const auto row_number = [rows](uint64_t i) { return rows[i]; };
  return with_values(numbers_->take(rows, arena, context), row_number, arena, context);
}

template <class RowNumber>
Values KeyColumn::with_values(Values numbers, RowNumber row_number, Arena& arena,
                              const Context& context) const {
  const Values& values = values_->values(context);
  visit_unsigned_type(type(), [&]<class Number>() {
    const Number* cells = numbers.data.as<Number>();
    if (dispatch<LargestCell<Number>>(cells, numbers.rows) <= values.rows) return;
    uint64_t i = 0;
    while (cells[i] <= values.rows) ++i;
    fail(ErrorKind::Corrupt, numbers_->flat()->cells.source->name(), "column \"", name(),
         "\" row ", row_number(i), ": expected a key up to ", values.rows, ", got ",
         uint64_t{cells[i]});
  });
  numbers.children.push_back(values);
  arena.keep(values_);
  return numbers;
}

}  // namespace heron::inline v0
