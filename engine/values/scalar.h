// Single values of any type: the form in which keys are compared.
#pragma once

#include <compare>
#include <string_view>
#include <type_traits>
#include <variant>

#include "base/int128.h"
#include "heron/schema.h"
#include "heron/values.h"
#include "values/canonical.h"

namespace heron::inline v0 {

// A Scalar that views its text or binary; a decimal is its units.
using ScalarView =
    std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string_view, Int128>;

ScalarView view_of(const Scalar& scalar);
Scalar owned(const ScalarView& view);

// Returns whether values of the type are scalars: not of lists, vectors, row ids and int128.
bool has_scalars(const Type& type);

inline Int128 wide_of(const WideInteger& value) noexcept {
  return static_cast<Int128>(UInt128{static_cast<uint64_t>(value.high)} << 64 | value.low);
}
inline WideInteger wide_of(Int128 value) noexcept {
  return {static_cast<uint64_t>(value), static_cast<int64_t>(value >> 64)};
}

// Returns whether the value is null, or the alternative that holds values of the type.
bool is_scalar_of(const Type& type, const ScalarView& value);

// A C++ value in the alternative that holds it.
template <class T>
ScalarView scalar_of(T value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string_view> ||
                std::is_same_v<T, Int128>)
    return value;
  else if constexpr (std::is_floating_point_v<T>)
    return double{value};
  else if constexpr (std::is_signed_v<T>)
    return int64_t{value};
  else
    return uint64_t{value};
}

// A float as canonical() has it; any other value as it is.
inline ScalarView canonical(ScalarView value) noexcept {
  if (auto* number = std::get_if<double>(&value)) *number = canonical(*number);
  return value;
}

// The value of a row; for a key with values, its value.
ScalarView scalar_at(const Values& values, uint64_t row);

// Compares an integer with a float exactly: float64 does not hold every integer. -0.0 equals 0; a
// NaN is unordered.
std::partial_ordering compare_exactly(Int128 integer, double number);

// Key order: null first, false before true, numbers by value (-0.0 equals 0.0) and any NaN before
// all others, texts and binary by bytes. Both are of the same column's type, or one is an integer
// and the other a float.
std::strong_ordering compare(const ScalarView& a, const ScalarView& b);

}  // namespace heron::inline v0
