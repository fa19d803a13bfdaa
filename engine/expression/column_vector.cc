#include "expression/column_vector.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/fail.h"
#include "expression/functions/cell_kernels.h"
#include "heron/error.h"
#include "values/bitmap.h"
#include "values/cells.h"
#include "values/text_cells.h"
#include "values/times.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

// Maps row i to the row of `values` with its value: for keys, the row of the key's number less one.
struct ValueRows {
  const Values* values;
  uint64_t first;
  const uint64_t* at = nullptr;  // null: rows from `first` on

  uint64_t operator[](uint64_t i) const { return at == nullptr ? first + i : at[i]; }
};

// Converts a cell; the content under a null may be a number that T does not hold.
template <class T, class Cell>
T number_of(Cell cell) {
  if constexpr (std::is_floating_point_v<Cell> && !std::is_floating_point_v<T>)
    return 0;
  else
    return static_cast<T>(cell);
}

template <class T>
void copy_cells(const Type& type, const std::byte* cells, uint64_t count, T* to) {
  visit_cell_type(type, [&]<class Cell>() {
    if constexpr (sizeof(T) == 8)
      dispatch<ConvertCells<Cell, T>>(cells, count, to);
    else
      ConvertCells<Cell, T>::run(cells, count, to);
  });
}

// Copies numbers, times and keys without values.
template <class T>
void copy_numbers(const ValueRows& from, uint64_t count, T* to) {
  const Values& values = *from.values;
  if (values.type.is(Type::DateTimeOffset)) {
    for (uint64_t i = 0; i < count; ++i) {
      to[i] = static_cast<T>(instant_of(cell_of<DateTimeOffset>(values, from[i])));
    }
    return;
  }
  if (values.type.is(Type::Int128) || values.type.is(Type::Decimal)) {
    for (uint64_t i = 0; i < count; ++i) {
      const auto cell = cell_of<WideInteger>(values, from[i]);
      to[i] = static_cast<T>(
          static_cast<Int128>(UInt128{static_cast<uint64_t>(cell.high)} << 64 | cell.low));
    }
    return;
  }
  if (from.at == nullptr) {
    const std::byte* cells = values.data.data + from.first * values.type.width();
    return copy_cells(values.type, cells, count, to);
  }
  visit_cell_type(values.type, [&]<class Cell>() {
    for (uint64_t i = 0; i < count; ++i) to[i] = number_of<T>(cell_of<Cell>(values, from[i]));
  });
}

void set_valid(const Values& values, uint64_t first, uint64_t count, uint64_t* valid) {
  set_first_bits(valid, count);
  if (values.validity.data == nullptr) return;
  valid[(count - 1) / 64] = 0;
  copy_bits(values.validity.data, first, count, reinterpret_cast<std::byte*>(valid));
}

// Returns whether cells of the type at that address are values of the kind.
bool is_in_place(const Type& type, const std::byte* cells, ValueKind kind) {
  if (type.is(Type::Decimal)) return reinterpret_cast<uintptr_t>(cells) % alignof(Int128) == 0;
  const bool same = kind == ValueKind::Float
                        ? type.is(Type::Float64)
                        : kind == ValueKind::Integer && !type.is(Type::Key) &&
                              type.width() == sizeof(int64_t) && !type.is_float() &&
                              !type.is(Type::UInt64);
  return same && reinterpret_cast<uintptr_t>(cells) % alignof(int64_t) == 0;
}

// Makes a vector of stored numbers.
Vector vector_of(const CellSpan& span, uint64_t first, uint64_t count, ValueKind kind,
                 std::byte* out, uint64_t* valid, bool trusts_nans) {
  const std::byte* cells = span.cells + first * span.type.width();
  const bool in_place = is_in_place(span.type, cells, kind);
  const bool tested = span.can_encode_null() && !(trusts_nans && span.type.is_float());
  bool any_null = tested;
  const auto convert = [&]<class T>(T* to) {
    if (!tested || sizeof(T) != sizeof(int64_t)) return copy_cells(span.type, cells, count, to);
    visit_cell_type(span.type, [&]<class Cell>() {
      any_null = dispatch<ConvertTested<Cell, T>>(cells, count, to);
    });
  };
  if (!in_place) {
    switch (kind) {
      case ValueKind::Float: convert(reinterpret_cast<double*>(out)); break;
      case ValueKind::Wide: convert(reinterpret_cast<Int128*>(out)); break;
      default: convert(reinterpret_cast<int64_t*>(out));
    }
  }
  if (any_null) {
    visit_cell_type(span.type,
                    [&]<class Cell>() { dispatch<ValidBits<Cell>>(cells, count, valid); });
  } else {
    set_first_bits(valid, count);
  }
  if (span.validity != nullptr) {
    uint64_t bits[kVectorWords] = {};
    copy_bits(span.validity, first, count, reinterpret_cast<std::byte*>(bits));
    for (uint64_t i = 0; i < bit_words(count); ++i) valid[i] &= bits[i];
  }
  return {kind, in_place ? cells : out, valid};
}

void copy_values(const ValueRows& from, uint64_t count, ValueKind kind, std::byte* out) {
  const Values& values = *from.values;
  switch (kind) {
    case ValueKind::Integer: return copy_numbers(from, count, reinterpret_cast<int64_t*>(out));
    case ValueKind::Wide: return copy_numbers(from, count, reinterpret_cast<Int128*>(out));
    case ValueKind::Float: return copy_numbers(from, count, reinterpret_cast<double*>(out));
    case ValueKind::Bool: {
      auto* bits = reinterpret_cast<uint64_t*>(out);
      std::fill_n(bits, bit_words(count), uint64_t{0});
      if (from.at == nullptr)
        return copy_bits(values.data.data, from.first, count, reinterpret_cast<std::byte*>(bits));
      for (uint64_t i = 0; i < count; ++i)
        bits[i / 64] |= uint64_t{values.data.bit(from[i])} << i % 64;
      return;
    }
    case ValueKind::Text: {
      auto* texts = reinterpret_cast<std::string_view*>(out);
      with_texts(values, [&](const auto& cells) {
        for (uint64_t i = 0; i < count; ++i) texts[i] = cells[from[i]];
      });
      return;
    }
    case ValueKind::RowId: break;
    case ValueKind::List: return;
  }
  auto* ids = reinterpret_cast<UInt128*>(out);
  for (uint64_t i = 0; i < count; ++i) {
    const auto id = cell_of<RowId>(values, from[i]);
    ids[i] = UInt128{id.high} << 64 | id.low;
  }
}

// Returns whether cells of the column are numbers that need no check as they are read.
bool has_plain_numbers(const Column& column) {
  const Type& type = column.type();
  if (!has_number_cells(type) || type.is(Type::Key) || type.is(Type::DateTime)) return false;
  const std::optional<FlatCells> flat = column.flat();
  return flat && flat->kind == FlatCells::Kind::Fixed && flat->dictionary == nullptr;
}

}  // namespace

ColumnChunk vector_input(const Column& column, RowRange rows, Arena& arena,
                         const Context& context) {
  if (has_plain_numbers(column)) return column.chunk(rows, arena, context);
  ColumnChunk input;
  input.rows = rows;
  input.values = column.read(rows, arena, context);
  return input;
}

Vector column_vector(const ColumnChunk& input, uint64_t first, uint64_t count, ValueKind kind,
                     std::byte* out, uint64_t* valid, bool trusts_nans) {
  if (count == 0) return {kind, out, valid};
  if (input.cells) return vector_of(*input.cells, first, count, kind, out, valid, trusts_nans);
  const Values& values = input.values;
  if (values.type.is(Type::Null)) {
    std::fill_n(valid, bit_words(count), uint64_t{0});
    return {kind, out, valid};
  }
  set_valid(values, first, count, valid);
  if (values.type.is_nested()) {
    *reinterpret_cast<ListRows*>(out) = {&values, first};
    return {kind, out, valid};
  }
  if (!values.type.is(Type::Key) || values.children.empty()) {
    const std::byte* cells = values.data.data + first * values.type.width();
    if (is_in_place(values.type, cells, kind)) return {kind, cells, valid};
    copy_values({&values, first}, count, kind, out);
    if (kind != ValueKind::Text) return {kind, out, valid};
    return {kind, out, valid, values.data.as<char>() + values.data.bytes, true};
  }
  const Values& of_keys = values.children[0];
  uint64_t at[kVectorRows];
  copy_numbers<uint64_t>({&values, first}, count, at);
  if (of_keys.rows == 0) {  // all keys are null, so there is nothing to read
    std::fill_n(valid, bit_words(count), uint64_t{0});
    std::fill_n(out, kVectorRows * sizeof(Int128), std::byte{});
    return {kind, out, valid};
  }
  for (uint64_t i = 0; i < count; ++i) at[i] = at[i] == 0 || at[i] > of_keys.rows ? 0 : at[i] - 1;
  keep_rows(count, valid, [&](uint64_t i) { return !of_keys.is_null(at[i]); });
  copy_values({&of_keys, 0, at}, count, kind, out);
  return {kind, out, valid};
}

void gather_values(const Values& values, const uint64_t* rows, uint64_t count, ValueKind kind,
                   std::byte* out, uint64_t* valid) {
  if (values.rows == 0 || values.type.is(Type::Null))
    return void(std::fill_n(valid, bit_words(count), uint64_t{0}));
  keep_rows(count, valid, [&](uint64_t i) { return !values.is_null(rows[i]); });
  copy_values({&values, 0, rows}, count, kind, out);
}

VectorCollector::VectorCollector(const Type& type, uint64_t rows, Arena& arena)
    : values_(type, rows), arena_(arena) {
  valid_ = arena.allocate_array<uint64_t>(bit_words(rows));
  if (type.has_bytes()) {
    offsets_ = arena.allocate_array<int32_t>(rows + 1);
    offsets_[0] = 0;
  } else {
    values_.data.bytes = type.is(Type::Bool) ? bitmap_bytes(rows) : rows * type.width();
    data_ = type.is(Type::Bool)
                ? reinterpret_cast<std::byte*>(arena.allocate_array<uint64_t>(bit_words(rows)))
                : arena.allocate(values_.data.bytes);
  }
}

void VectorCollector::grow_texts(uint64_t bytes) {
  if (bytes > INT32_MAX) {
    fail(ErrorKind::Limit, {}, "texts of ", values_.rows, " rows are longer than 2 GiB together");
  }
  text_room_ = std::max(bytes, std::min<uint64_t>(2 * text_room_, INT32_MAX));
  std::byte* more = arena_.allocate(text_room_);
  if (text_bytes_ != 0) std::memcpy(more, data_, text_bytes_);
  data_ = more;
}

void VectorCollector::append_texts(const Vector& vector, uint64_t count) {
  const auto* texts = vector.as<std::string_view>();
  bool all_valid = true;
  for (uint64_t i = 0; i < bit_words(count); ++i) {
    all_valid = all_valid && (~vector.valid[i] & low_bits(count - 64 * i)) == 0;
  }
  const auto is_valid = [&](uint64_t i) {
    return all_valid || (vector.valid[i / 64] >> i % 64 & 1) != 0;
  };
  uint64_t bytes = text_bytes_;
  for (uint64_t i = 0; i < count; ++i) bytes += is_valid(i) ? texts[i].size() : 0;
  if (bytes > text_room_ || data_ == nullptr) grow_texts(std::max(bytes, kVectorRows));
  int32_t* const ends = offsets_ + rows_ + 1;
  if (all_valid && vector.are_consecutive) {
    if (bytes != text_bytes_)
      std::memcpy(data_ + text_bytes_, texts[0].data(), bytes - text_bytes_);
    for (uint64_t i = 0; i < count; ++i) {
      text_bytes_ += texts[i].size();
      ends[i] = static_cast<int32_t>(text_bytes_);
    }
    return;
  }
  const char* const readable = vector.texts_end;
  for (uint64_t i = 0; i < count; ++i) {
    if (is_valid(i)) {
      // Eight bytes are copied at once: the excess lies in the arena's slack.
      const std::string_view text = texts[i];
      const uint64_t first =
          readable != nullptr && static_cast<uint64_t>(readable - text.data()) >= kEight
              ? load_eight(text.data())
              : first_eight(text);
      std::memcpy(data_ + text_bytes_, &first, kEight);
      if (text.size() > kEight) std::memcpy(data_ + text_bytes_, text.data(), text.size());
      text_bytes_ += text.size();
    }
    ends[i] = static_cast<int32_t>(text_bytes_);
  }
}

std::byte* VectorCollector::room() const noexcept {
  const Type& type = values_.type;
  const bool is_stored = type.is(Type::Float64) || (type.width() == sizeof(int64_t) &&
                                                    !type.is_float() && !type.is(Type::UInt64));
  if (type.is(Type::Decimal)) return data_ + rows_ * sizeof(Int128);
  return is_stored ? data_ + rows_ * sizeof(int64_t) : nullptr;
}

void VectorCollector::append(const Vector& vector, uint64_t count) {
  uint64_t nulls = 0;
  for (uint64_t i = 0; i < bit_words(count); ++i) {
    valid_[rows_ / 64 + i] = vector.valid[i];
    nulls |= ~vector.valid[i] & low_bits(count - 64 * i);
  }
  any_null_ = any_null_ || nulls != 0;
  if (vector.values == room() && data_ != nullptr) {
    rows_ += count;
    return;
  }
  switch (vector.kind) {
    case ValueKind::Text: append_texts(vector, count); break;
    case ValueKind::Bool:
      std::copy_n(vector.as<uint64_t>(), bit_words(count),
                  reinterpret_cast<uint64_t*>(data_) + rows_ / 64);
      break;
    case ValueKind::RowId: {
      auto* to = reinterpret_cast<RowId*>(data_) + rows_;
      const auto* ids = vector.as<UInt128>();
      for (uint64_t i = 0; i < count; ++i)
        to[i] = {static_cast<uint64_t>(ids[i]), static_cast<uint64_t>(ids[i] >> 64)};
      break;
    }
    default:
      if (values_.type.is(Type::Decimal)) {
        std::memcpy(data_ + rows_ * sizeof(Int128), vector.values, count * sizeof(Int128));
        break;
      }
      visit_cell_type(values_.type, [&]<class Cell>() {
        auto* to = reinterpret_cast<Cell*>(data_) + rows_;
        const auto copy = [&](const auto* from) {
          for (uint64_t i = 0; i < count; ++i) to[i] = static_cast<Cell>(from[i]);
        };
        if constexpr (std::is_floating_point_v<Cell>)
          copy(vector.as<double>());
        else if (vector.kind == ValueKind::Wide)
          copy(vector.as<Int128>());
        else
          copy(vector.as<int64_t>());
      });
  }
  rows_ += count;
}

Values VectorCollector::finish() {
  if (offsets_ != nullptr) {
    if (data_ == nullptr) grow_texts(1);
    values_.offsets = {reinterpret_cast<const std::byte*>(offsets_),
                       (values_.rows + 1) * sizeof(int32_t)};
    values_.data = {data_, text_bytes_};
  } else {
    values_.data.data = data_;
  }
  if (any_null_) set_validity(values_, reinterpret_cast<const std::byte*>(valid_));
  return std::move(values_);
}

}  // namespace heron::inline v0
