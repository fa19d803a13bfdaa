#include "csv/decimal.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/int128.h"

namespace heron::inline v0::csv {
namespace {

constexpr uint64_t kMostExact = uint64_t{1} << 53;  // doubles hold all integers up to it

// Powers of ten that a double holds exactly.
constexpr std::array<double, 23> kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int64_t kMostPower = kPowers.size() - 1;

// The powers of five that 64 bits hold.
constexpr std::array<uint64_t, 28> kFives = [] {
  std::array<uint64_t, 28> fives{1};
  for (size_t i = 1; i < fives.size(); ++i) fives[i] = 5 * fives[i - 1];
  return fives;
}();
constexpr int64_t kMostFive = kFives.size() - 1;

struct Quotient {
  uint64_t whole;
  uint64_t rest;
};

// (high * 2^64 + low) / divisor. `high` is below `divisor`, so that the quotient has 64 bits.
HERON_INLINE Quotient divide(uint64_t high, uint64_t low, uint64_t divisor) noexcept {
  Quotient made;
#if defined(__x86_64__)
  __asm__("divq %4"
          : "=a"(made.whole), "=d"(made.rest)
          : "a"(low), "d"(high), "r"(divisor)
          : "cc");
#else
  const UInt128 all = UInt128{high} << 64 | low;
  made.whole = static_cast<uint64_t>(all / divisor);
  made.rest = static_cast<uint64_t>(all % divisor);
#endif
  return made;
}

// The double nearest to digits / 10^power; `digits` are not 0, `power` is at most kMostFive. The
// quotient by the power of five has at least 61 bits, and its lowest says also whether there are
// more behind it: converted to a double, it is rounded once. A power of two changes no digit.
double quotient_of(uint64_t digits, unsigned power) noexcept {
  const int zeros = std::countl_zero(digits);
  const int five_zeros = std::countl_zero(kFives[power]);
  const uint64_t scaled = digits << zeros;
  const auto [whole, rest] = divide(scaled >> 1, scaled << 63, kFives[power] << five_zeros);
  const auto bits = static_cast<int64_t>(whole >> 1 | (whole & 1) | uint64_t{rest != 0});
  const int exponent = five_zeros - zeros - 62 - static_cast<int>(power);
  return static_cast<double>(bits) *
         std::bit_cast<double>(static_cast<uint64_t>(1023 + exponent) << 52);
}

template <class T>
std::optional<T> convert(std::string_view text) noexcept {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

bool equals_word(std::string_view text, std::string_view word) noexcept {
  if (text.size() != word.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != word[i]) return false;
  }
  return true;
}

std::string_view without_zeros_behind(std::string_view digits) noexcept {
  return digits.substr(0, digits.find_last_not_of('0') + 1);
}

}  // namespace

// A product or quotient of two exact doubles is rounded once, and thus correctly. Where there are
// many digits, often some have more than a double holds and others have not: all are divided alike.
template <>
std::optional<double> to_float<double>(const Decimal& decimal, std::string_view text) noexcept {
  constexpr uint64_t kManyDigits = uint64_t{1} << 32;
  if (!decimal.is_long && decimal.digits >= kManyDigits && decimal.exponent < 0 &&
      decimal.exponent >= -kMostFive) {
    const double magnitude = quotient_of(decimal.digits, static_cast<unsigned>(-decimal.exponent));
    return decimal.negative ? -magnitude : magnitude;
  }
  if (decimal.is_long || decimal.digits > kMostExact || decimal.exponent < -kMostPower ||
      decimal.exponent > kMostPower) {
    return convert<double>(text);
  }
  const auto digits = static_cast<double>(decimal.digits);
  const double magnitude = decimal.exponent < 0
                               ? digits / kPowers[static_cast<size_t>(-decimal.exponent)]
                               : digits * kPowers[static_cast<size_t>(decimal.exponent)];
  return decimal.negative ? -magnitude : magnitude;
}

// The double nearest to a number lies on the same side of a float's rounding boundary, unless it
// equals that boundary: only then the text decides.
template <>
std::optional<float> to_float<float>(const Decimal& decimal, std::string_view text) noexcept {
  constexpr uint64_t kBehind = (uint64_t{1} << 29) - 1;  // the bits that a float does not have
  constexpr uint64_t kBoundary = uint64_t{1} << 28;
  const auto number = to_float<double>(decimal, text);
  if (!number) return std::nullopt;
  const double magnitude = std::fabs(*number);
  const bool is_normal = magnitude >= double{std::numeric_limits<float>::min()} &&
                         magnitude <= double{std::numeric_limits<float>::max()};
  if (magnitude == 0 || (is_normal && (std::bit_cast<uint64_t>(*number) & kBehind) != kBoundary)) {
    return static_cast<float>(*number);
  }
  if (const auto value = convert<float>(text)) return value;
  if (magnitude > 1) return std::nullopt;
  return decimal.negative ? -0.0F : 0.0F;
}

std::optional<double> number_word(std::string_view text) noexcept {
  if (equals_word(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (!equals_word(text, "inf") && !equals_word(text, "infinity")) return std::nullopt;
  const double infinity = std::numeric_limits<double>::infinity();
  return negative ? -infinity : infinity;
}

bool double_keeps(const Decimal& decimal, std::string_view text) noexcept {
  if (!decimal.is_long && decimal.digits <= kMostExact) return true;
  const auto number = to_float<double>(decimal, text);
  if (!number) return false;
  char room[32];
  char* const end =
      std::to_chars(room, room + sizeof room, std::fabs(*number), std::chars_format::scientific)
          .ptr;
  std::string shortest(static_cast<const char*>(room), static_cast<const char*>(end));
  shortest.resize(shortest.find('e'));
  std::erase(shortest, '.');
  text.remove_prefix(decimal.negative);
  return without_zeros_behind(shortest) == without_zeros_behind(text);
}

}  // namespace heron::inline v0::csv
