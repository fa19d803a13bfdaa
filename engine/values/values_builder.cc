#include "values/values_builder.h"

#include <cstring>

#include "base/arena.h"
#include "values/bitmap.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

template <class T>
T number_of(const ScalarView& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return static_cast<T>(*number);
  if (const auto* number = std::get_if<uint64_t>(&value)) return static_cast<T>(*number);
  if (const auto* number = std::get_if<double>(&value)) return static_cast<T>(*number);
  return T{};
}

template <class T>
Buffer copy_of(const std::vector<T>& items, Arena& arena) {
  std::byte* copy = arena.allocate(items.size() * sizeof(T));
  if (!items.empty()) std::memcpy(copy, items.data(), items.size() * sizeof(T));
  return {copy, items.size() * sizeof(T)};
}

Buffer copy_of(const std::string& bytes, Arena& arena) {
  std::byte* copy = arena.allocate(bytes.size());
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

template <class Offset>
Buffer offsets_of(const std::vector<uint64_t>& ends, Arena& arena) {
  auto* offsets = arena.allocate_array<Offset>(ends.size() + 1);
  offsets[0] = 0;
  for (uint64_t i = 0; i < ends.size(); ++i) offsets[i + 1] = static_cast<Offset>(ends[i]);
  return {reinterpret_cast<const std::byte*>(offsets), (ends.size() + 1) * sizeof(Offset)};
}

}  // namespace

void ValuesBuilder::append_bit(std::vector<uint8_t>& bits, bool bit) {
  if (rows_ % 8 == 0) bits.push_back(0);
  bits.back() = static_cast<uint8_t>(bits.back() | (bit ? 1U << (rows_ % 8) : 0U));
}

void ValuesBuilder::append(const ScalarView& value) {
  const bool is_null = std::holds_alternative<std::monostate>(value);
  append_bit(validity_, !is_null);
  if (type_.is(Type::Bool)) {
    append_bit(bits_, !is_null && std::get<bool>(value));
  } else if (type_.is_text()) {
    if (!is_null) cells_ += std::get<std::string_view>(value);
    ends_.push_back(cells_.size());
  } else if (!type_.is(Type::Null)) {
    visit_cell_type(type_, [&]<class T>() {
      const T cell = number_of<T>(value);
      cells_.append(reinterpret_cast<const char*>(&cell), sizeof cell);
    });
  }
  nulls_ += is_null;
  ++rows_;
}

Values ValuesBuilder::finish(Arena& arena) const {
  Values values(type_, rows_);
  values.null_count = nulls_;
  if (type_.is(Type::Null)) return values;
  if (nulls_ != 0) values.validity = copy_of(validity_, arena);
  if (type_.is(Type::Bool)) {
    values.data = copy_of(bits_, arena);
    return values;
  }
  values.data = copy_of(cells_, arena);
  if (!type_.is_text()) return values;
  if (cells_.size() > INT32_MAX) values.type = Type::LargeText;
  values.offsets = values.type.is(Type::LargeText) ? offsets_of<int64_t>(ends_, arena)
                                                   : offsets_of<int32_t>(ends_, arena);
  return values;
}

}  // namespace heron::inline v0
