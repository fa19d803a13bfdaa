// Decimals: integers of 128 bits that count units of 10^-scale. Conversions here are exact, or say
// what is left behind the last unit.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/int128.h"
#include "heron/schema.h"

namespace heron::inline v0 {

// 10^n, for n up to 38.
inline constexpr auto kPowersOfTen = [] {
  std::array<Int128, Type::kMaxPrecision + 1> powers{1};
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Returns whether the units have at most that many digits.
inline bool has_digits(Int128 units, uint64_t precision) noexcept {
  return units < kPowersOfTen[precision] && units > -kPowersOfTen[precision];
}

// A number in units: rounded down, and what that left behind. A number beyond 128 bits is above all
// decimals, or below them, as the number itself is.
struct ScaledNumber {
  enum class Rest : uint8_t { None, BelowHalf, Half, AboveHalf };
  Int128 floor = 0;
  Rest rest = Rest::None;

  bool is_exact() const noexcept { return rest == Rest::None; }
  // Returns the nearest units, of two the one away from 0; nullopt if these have more digits.
  std::optional<Int128> nearest(uint64_t precision) const noexcept;
};

// Return a number in units of 10^-scale. A float is taken as its exact value; it is no NaN.
ScaledNumber scaled(double number, uint32_t scale) noexcept;
ScaledNumber scaled(Int128 units, uint32_t from_scale, uint32_t scale) noexcept;
// Reads "-12.5", "+.5e-3"; nullopt for any other text.
std::optional<ScaledNumber> scaled(std::string_view text, uint32_t scale) noexcept;

// Compare exactly; a NaN is unordered.
std::strong_ordering compare_decimals(Int128 a, uint32_t scale_a, Int128 b,
                                      uint32_t scale_b) noexcept;
std::partial_ordering compare_decimals(Int128 units, uint32_t scale, double number) noexcept;

// Returns the nearest float64.
double as_double(Int128 units, uint32_t scale) noexcept;

// The most characters of a decimal's text.
inline constexpr size_t kMaxDecimalText = 48;
// Puts all digits behind the point, and at least one before it. Returns the end.
char* put_decimal(char* out, Int128 units, uint32_t scale) noexcept;
std::string decimal_text(Int128 units, uint32_t scale);

// Returns the type with the least digits that holds the number exactly, such as decimal[3,2] for
// "1.50"; nullopt for more than 38 digits, and for texts that are no numbers.
std::optional<Type> decimal_type_of(std::string_view number) noexcept;

// Reads the name of a type: "decimal[10,2]", "decimal(10, 2)", "numeric(10)"; nullopt for any other
// text. Throws Error(Argument) for more digits than decimals have.
std::optional<Type> named_decimal(std::string_view name);

}  // namespace heron::inline v0
