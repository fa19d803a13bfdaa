// Results in memory: columns of values in Arrow's layout, and the batch of rows that owns them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "heron/export.h"
#include "heron/schema.h"

namespace heron::inline v0 {

// Rows numbered first up to last, last not included.
struct RowRange {
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t rows() const noexcept { return last - first; }
};

class Arena;
class ByteSource;

// A view of bytes that others own. Aligned for the type of its content.
struct Buffer {
  const std::byte* data = nullptr;
  uint64_t bytes = 0;

  template <class T>
  const T* as() const noexcept {
    return reinterpret_cast<const T*>(data);
  }
  bool bit(uint64_t i) const noexcept {
    return (std::to_integer<unsigned>(data[i / 8]) >> (i % 8)) & 1;
  }
};

// Values of one column, as an Arrow array of the same type would hold them (offset 0). Only views:
// the RowBatch it came in keeps the memory.
//   null                 no buffers
//   bool                 data: one bit a row, least significant first
//   fixed width          data: rows cells in the machine's byte order
//   text, binary         offsets: rows + 1 int32 (large: int64) into data; the first need not be 0
//   list                 offsets as for text, into children[0]
//   key                  data: rows stored numbers of type().item(), from 1. children[0], if keys
//                        have values: the values of 1, 2, ..; a number that is not null is then
//                        at most children[0].rows
//   vector               data: rows int32 lengths. children[0], a large_list: the items a row
//                        stores. children[1], a large_list of int32: the slots of these items in
//                        a sparse row, ascending and below the length; empty for a dense row,
//                        which stores as many items as its length. Slots that a sparse row does
//                        not store are 0, false or empty, and null for keys.
// The content under a null is undefined, except that its text or list has a valid extent.
//
// The functions that take a row throw Error(Argument) if there is no such row, and if the type is
// not one of theirs.
struct Values {
  Type type;
  uint64_t rows = 0;
  uint64_t null_count = 0;  // how many rows are null
  Buffer validity;          // bit i set: row i has a value; no data: no row is null
  Buffer data;
  Buffer offsets;
  std::vector<Values> children;

  Values() = default;
  Values(Type of, uint64_t count) : type(std::move(of)), rows(count) {}

  bool is_null(uint64_t row) const {
    check_row(row);
    return type.is(Type::Null) || (validity.data != nullptr && !validity.bit(row));
  }
  // T is the C++ type of the cells: int8_t .. uint64_t, float, double; int32_t for date32 and for
  // the lengths of vectors, int64_t for times and durations, DateTimeOffset, RowId, WideInteger;
  // for keys the type of the stored numbers; bool calls get_bool().
  template <class T>
  T get(uint64_t row) const {
    if constexpr (std::is_same_v<T, bool>) {
      return get_bool(row);
    } else {
      check_row(row);
      if (!has_cells_of<T>()) [[unlikely]] throw_other_type();
      T value;
      std::memcpy(&value, data.data + row * sizeof(T), sizeof(T));
      return value;
    }
  }
  bool get_bool(uint64_t row) const {
    check_row(row);
    if (!type.is(Type::Bool)) [[unlikely]] throw_other_type();
    return data.bit(row);
  }
  // Where the text of a row starts in `data`, or its list in children[0]; extent(rows) is the end
  // of the last.
  uint64_t extent(uint64_t row) const {
    if (row != rows) check_row(row);
    if (!type.has_offsets()) [[unlikely]] throw_other_type();
    return offset(row);
  }
  // The bytes of a text or binary.
  std::string_view text(uint64_t row) const {
    check_row(row);
    if (!type.has_bytes()) [[unlikely]] throw_other_type();
    const uint64_t start = offset(row);
    return {data.as<char>() + start, offset(row + 1) - start};
  }

 private:
  void check_row(uint64_t row) const {
    if (row >= rows) [[unlikely]] throw_no_such_row(row);
  }
  [[noreturn]] HERON_EXPORT void throw_no_such_row(uint64_t row) const;
  [[noreturn]] HERON_EXPORT void throw_other_type() const;

  uint64_t offset(uint64_t row) const noexcept {
    return type.has_large_offsets()
               ? static_cast<uint64_t>(offsets.as<int64_t>()[row])
               : static_cast<uint64_t>(offsets.as<int32_t>()[row]);
  }

  // The types with cells of T, a bit for each Type::Id; for keys the types of the stored numbers.
  template <class T>
  static constexpr uint32_t cell_types() noexcept {
    const auto among = [](auto... ids) { return ((uint32_t{1} << ids) | ...); };
    if constexpr (std::is_same_v<T, float>) {
      return among(Type::Float32);
    } else if constexpr (std::is_same_v<T, double>) {
      return among(Type::Float64);
    } else if constexpr (std::is_same_v<T, DateTimeOffset>) {
      return among(Type::DateTimeOffset);
    } else if constexpr (std::is_same_v<T, RowId>) {
      return among(Type::RowId);
    } else if constexpr (std::is_same_v<T, WideInteger>) {
      return among(Type::Int128, Type::Decimal);
    } else {
      static_assert(std::is_integral_v<T>, "no cells are of this type");
      if constexpr (std::is_unsigned_v<T>) {
        return sizeof(T) == 1   ? among(Type::UInt8)
               : sizeof(T) == 2 ? among(Type::UInt16)
               : sizeof(T) == 4 ? among(Type::UInt32)
                                : among(Type::UInt64);
      } else {
        return sizeof(T) == 1   ? among(Type::Int8)
               : sizeof(T) == 2 ? among(Type::Int16)
               : sizeof(T) == 4
                   ? among(Type::Int32, Type::Date32, Type::Vector)
                   : among(Type::Int64, Type::Timestamp, Type::DateTime, Type::Duration,
                           Type::Time);
      }
    }
  }
  template <class T>
  bool has_cells_of() const noexcept {
    const Type::Id id = std::is_unsigned_v<T> && type.is(Type::Key) ? type.item().id() : type.id();
    return (cell_types<T>() >> id & 1) != 0;
  }
};

// Returns vectors with all their slots, as a large list of the items. The result lives in the
// arena, such as that of a batch, and in `vectors`. Throws Error(Argument) for values of another
// type, Error(Limit) for more than `max_slots` slots in all.
HERON_EXPORT Values dense(const Values& vectors, Arena& arena, uint64_t max_slots);

// Some rows of some columns. Copies share the memory; the values live as long as any copy, even
// after the File is destroyed, because a batch keeps the file mapped that its values may point
// into. Calls that fill a batch given to them reuse its memory if no other copy exists.
//
// Values that point into a mapped file read as zeros once the file has been cut short, and as the
// new bytes once it has been overwritten: callers that hold values for long call
// Table::check_unchanged() after using them. Validity bitmaps, offsets, lengths, positions and keys
// with values never point into the file, so they stay valid whatever happens to it: code that
// writes values elsewhere takes sizes from them, not from cells and characters, which may have
// changed.
struct RowBatch {
  std::shared_ptr<const Schema> schema;
  uint64_t rows = 0;
  std::vector<Values> columns;

  std::shared_ptr<Arena> memory;             // owns what was copied or computed
  std::shared_ptr<const ByteSource> source;  // the file that other values point into
};

// One value of any type that a key can have; monostate is null. Dates, times and durations are
// their integers, a datetimeoffset the integer of its datetime in UTC; a decimal is the integer of
// its digits, x 10^scale; a string holds text or binary.
using Scalar =
    std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, WideInteger>;

// Parses a scalar of that type: numbers, true/false, dates and times in ISO form, durations as
// "-1.02:03:04.5", for keys the stored number, decimals as "-12.50" with no more digits than the
// type has, binary as hexadecimal digits, "null" for null. Throws Error(Argument) that names what
// was expected.
HERON_EXPORT Scalar parse_scalar(const Type& type, std::string_view text);

}  // namespace heron::inline v0
