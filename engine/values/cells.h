// Cells of a fixed width, and the C++ types that hold them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/cpu.h"
#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0 {

// The i-th of consecutive cells, which may be unaligned.
template <class T>
HERON_INLINE T load_cell(const std::byte* cells, uint64_t i) {
  T value;
  std::memcpy(&value, cells + i * sizeof(T), sizeof(T));
  return value;
}

// A cell of values that have the row and cells of T, or of another type as wide: unchecked, for
// loops that have checked.
template <class T>
HERON_INLINE T cell_of(const Values& values, uint64_t row) {
  return load_cell<T>(values.data.data, row);
}

// A consecutive cell, converted to another type. Stored is bool for bools of a byte each: not 0 is
// true.
template <class Stored, class T>
HERON_INLINE T load_cell_as(const std::byte* cells, uint64_t i) {
  if constexpr (std::is_same_v<Stored, bool>)
    return static_cast<T>(cells[i] != std::byte{0});
  else
    return static_cast<T>(load_cell<Stored>(cells, i));
}

// Returns whether a cell is null by its own value: a bool of a byte of 0x80, a float that is NaN,
// the minimum of a signed integer, the unsigned integer 0.
template <class Stored>
HERON_INLINE bool is_null_cell(const std::byte* cell) {
  if constexpr (std::is_same_v<Stored, bool>) {
    return *cell == std::byte{0x80};
  } else if constexpr (std::is_floating_point_v<Stored>) {
    const auto value = load_cell<Stored>(cell, 0);
    return value != value;
  } else if constexpr (std::is_signed_v<Stored>) {
    return load_cell<Stored>(cell, 0) == std::numeric_limits<Stored>::min();
  } else {
    return load_cell<Stored>(cell, 0) == 0;
  }
}

// The unsigned integer as wide as a cell.
template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, uint64_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t,
                                          std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;

// The element of a matrix for a cell: NaN if is_null_cell(). Chosen by its bits, so that a loop
// becomes vector instructions: the compiler does not convert numbers that it may not need.
template <class Stored, class T>
HERON_INLINE T element_or_nan(const std::byte* cell, bool& any_null) noexcept {
  const bool is_null = is_null_cell<Stored>(cell);
  any_null |= is_null;
  using Bits = BitsOf<T>;
  const Bits mask = is_null ? ~Bits{0} : Bits{0};
  const auto value = std::bit_cast<Bits>(load_cell_as<Stored, T>(cell, 0));
  const auto nan = std::bit_cast<Bits>(std::numeric_limits<T>::quiet_NaN());
  return std::bit_cast<T>(static_cast<Bits>((value & ~mask) | (nan & mask)));
}

// The largest of unsigned cells; 0 without cells.
template <class T>
struct LargestCell {
  HERON_INLINE static T run(const T* cells, uint64_t count) {
    T largest = 0;
    for (uint64_t i = 0; i < count; ++i) largest = cells[i] > largest ? cells[i] : largest;
    return largest;
  }
};

// Returns whether the cells of a type are C++ numbers, for visit_cell_type.
inline bool has_number_cells(const Type& type) {
  return type.width() != 0 && type.width() <= 8;
}

// Throws Error(Unsupported): code for numbers was called for decimals, whose cells are none.
[[noreturn]] void fail_no_numbers(const Type& type);

// Calls visit.operator()<T>() with the C++ type of an unsigned integer, or of a key's numbers.
template <class Visit>
decltype(auto) visit_unsigned_type(const Type& type, Visit&& visit) {
  switch (type.is(Type::Key) ? type.item().id() : type.id()) {
    case Type::UInt8: return visit.template operator()<uint8_t>();
    case Type::UInt16: return visit.template operator()<uint16_t>();
    case Type::UInt32: return visit.template operator()<uint32_t>();
    default: return visit.template operator()<uint64_t>();
  }
}

// Calls visit.operator()<T>() with the C++ type of an integer.
template <class Visit>
decltype(auto) visit_integer_type(const Type& type, Visit&& visit) {
  switch (type.id()) {
    case Type::Int8: return visit.template operator()<int8_t>();
    case Type::Int16: return visit.template operator()<int16_t>();
    case Type::Int32: return visit.template operator()<int32_t>();
    case Type::Int64: return visit.template operator()<int64_t>();
    default: return visit_unsigned_type(type, std::forward<Visit>(visit));
  }
}

// Calls visit.operator()<T>() with the C++ type of a type that has_number_cells: int32_t for
// date32, int64_t for times and durations, for a key that of its stored numbers.
template <class Visit>
decltype(auto) visit_cell_type(const Type& type, Visit&& visit) {
  switch (type.id()) {
    case Type::Int8: return visit.template operator()<int8_t>();
    case Type::Int16: return visit.template operator()<int16_t>();
    case Type::Int32:
    case Type::Date32: return visit.template operator()<int32_t>();
    case Type::Int64:
    case Type::Timestamp:
    case Type::DateTime:
    case Type::Duration:
    case Type::Time: return visit.template operator()<int64_t>();
    case Type::Float32: return visit.template operator()<float>();
    case Type::UInt8:
    case Type::UInt16:
    case Type::UInt32:
    case Type::UInt64:
    case Type::Key: return visit_unsigned_type(type, std::forward<Visit>(visit));
    case Type::Decimal: fail_no_numbers(type);
    default: return visit.template operator()<double>();
  }
}

}  // namespace heron::inline v0
