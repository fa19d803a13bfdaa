// Parses fields as numbers of a type.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "base/cpu.h"
#include "csv/decimal.h"

namespace heron::inline v0::csv {

// T is an integer or a float.
template <class T>
struct NumberParser {
  using Cell = T;
  static constexpr bool kIsNumber = true;

  // Returns false if the field is no number that T holds. digits::kReadBehind bytes behind the
  // field must be readable.
  HERON_INLINE bool parse(std::string_view field, T& cell) const {
    Decimal decimal;
    if (read_decimal(field, decimal)) return convert(decimal, field, cell);
    if constexpr (std::is_floating_point_v<T>) {
      const auto word = number_word(field);
      if (word) cell = static_cast<T>(*word);
      return word.has_value();
    }
    return false;
  }

  // Converts the number that was read from the field; returns false if T does not hold it.
  HERON_INLINE bool convert(const Decimal& decimal, std::string_view field, T& cell) const {
    if constexpr (std::is_integral_v<T>) {
      constexpr auto kMaximum = static_cast<uint64_t>(std::numeric_limits<T>::max());
      const uint64_t most = decimal.negative ? (std::is_signed_v<T> ? kMaximum + 1 : 0) : kMaximum;
      if (!decimal.is_whole || decimal.is_long || decimal.digits > most) return false;
      cell = static_cast<T>(decimal.negative ? 0 - decimal.digits : decimal.digits);
      return true;
    } else if constexpr (std::is_same_v<T, double>) {
      return to_double(decimal, field, cell);
    } else {
      const auto number = to_float<T>(decimal, field);
      if (number) cell = *number;
      return number.has_value();
    }
  }
};

}  // namespace heron::inline v0::csv
