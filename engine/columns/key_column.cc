#include "columns/key_column.h"

#include "values/cells.h"

namespace heron::inline v0 {

const Values& KeyValues::values(const Context& context) const {
  once_.run([&] { batch_ = load_(context); });
  return batch_.columns.front();
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
  visit_cell_type(type().item(), [&]<class Number>() {
    if constexpr (std::is_unsigned_v<Number>) {
      const Number* cells = numbers.data.as<Number>();
      if (dispatch<LargestCell<Number>>(cells, numbers.rows) <= values.rows) return;
      uint64_t i = 0;
      while (cells[i] <= values.rows) ++i;
      fail(ErrorKind::Corrupt, numbers_->flat()->cells.source->name(), "column \"", name(),
           "\" row ", row_number(i), ": expected a key up to ", values.rows, ", got ",
           uint64_t{cells[i]});
    }
  });
  numbers.children.push_back(values);
  arena.keep(values_);
  return numbers;
}

}  // namespace heron::inline v0
