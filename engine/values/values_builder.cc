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

Buffer copy_of(const std::vector<uint8_t>& bytes, Arena& arena) {
  std::byte* copy = arena.allocate(bytes.size());
  if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

template <class Offset>
Buffer offsets_of(const std::vector<uint64_t>& ends, Arena& arena) {
  auto* offsets = arena.allocate_array<Offset>(ends.size() + 1);
  offsets[0] = 0;
  for (uint64_t i = 0; i < ends.size(); ++i) offsets[i + 1] = static_cast<Offset>(ends[i]);
  return {reinterpret_cast<const std::byte*>(offsets), (ends.size() + 1) * sizeof(Offset)};
}

void append_bit(std::vector<uint8_t>& bits, uint64_t at, bool bit) {
  if (at % 8 == 0) bits.push_back(0);
  if (bit) bits.back() = static_cast<uint8_t>(bits.back() | 1U << at % 8);
}

}  // namespace

ValuesBuilder::ValuesBuilder(Type type) : type_(std::move(type)) {
  if (type_.is_list()) items_.emplace_back(type_.item());
}

void ValuesBuilder::add_row(bool valid) {
  append_bit(validity_, rows_, valid);
  ++rows_;
  nulls_ += !valid;
}

void ValuesBuilder::append_null() {
  if (type_.is(Type::Bool)) {
    append_bit(data_, rows_, false);
  } else if (type_.has_offsets()) {
    ends_.push_back(extent());
  } else {
    data_.resize(data_.size() + type_.width());
  }
  add_row(false);
}

void ValuesBuilder::append_bool(bool value) {
  append_bit(data_, rows_, value);
  add_row(true);
}

void ValuesBuilder::append_text(std::string_view text) {
  data_.insert(data_.end(), text.begin(), text.end());
  ends_.push_back(data_.size());
  add_row(true);
}

void ValuesBuilder::append_list() {
  ends_.push_back(items().rows());
  add_row(true);
}

void ValuesBuilder::append(const ScalarView& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    append_null();
  } else if (type_.is(Type::Bool)) {
    append_bool(std::get<bool>(value));
  } else if (type_.has_bytes()) {
    append_text(std::get<std::string_view>(value));
  } else if (type_.is(Type::DateTimeOffset)) {
    append_cell(DateTimeOffset{.ticks = std::get<int64_t>(value)});
  } else if (type_.is(Type::Decimal)) {
    append_cell(std::get<Int128>(value));
  } else {
    visit_cell_type(type_, [&]<class T>() { append_cell(number_of<T>(value)); });
  }
}

Values ValuesBuilder::finish(Arena& arena) const {
  Values values(type_, rows_);
  values.null_count = nulls_;
  if (type_.is(Type::Null)) return values;
  if (nulls_ != 0) values.validity = copy_of(validity_, arena);
  if (!type_.is_list()) values.data = copy_of(data_, arena);
  if (type_.has_bytes() && extent() > INT32_MAX) {
    values.type = type_.is_text() ? Type::LargeText : Type::LargeBinary;
  }
  if (type_.has_offsets()) {
    const bool is_large = values.type.has_large_offsets();
    values.offsets =
        is_large ? offsets_of<int64_t>(ends_, arena) : offsets_of<int32_t>(ends_, arena);
  }
  for (const ValuesBuilder& items : items_) values.children.push_back(items.finish(arena));
  return values;
}

void ValuesBuilder::reserve(uint64_t rows) {
  validity_.reserve(bitmap_bytes(rows));
  data_.reserve(type_.is(Type::Bool) ? bitmap_bytes(rows) : rows * type_.width());
}

void ValuesBuilder::clear() {
  rows_ = nulls_ = 0;
  validity_.clear();
  data_.clear();
  ends_.clear();
  for (ValuesBuilder& items : items_) items.clear();
}

}  // namespace heron::inline v0
