#include "values/decimals.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "values/parse_whole.h"

namespace heron::inline v0 {
namespace {

using Rest = ScaledNumber::Rest;

constexpr Int128 kLowest = std::numeric_limits<Int128>::min();
constexpr Int128 kHighest = std::numeric_limits<Int128>::max();
// Numbers beyond 128 bits; no decimal has these units.
constexpr ScaledNumber kBelowAll{kLowest, Rest::None}, kAboveAll{kHighest, Rest::AboveHalf};

// Returns what is left of a part of a unit: below, at or above a half of it.
Rest rest_of(UInt128 part, UInt128 unit) noexcept {
  if (part == 0) return Rest::None;
  const UInt128 left = unit - part;  // compared instead of twice the part, which may overflow
  return part == left ? Rest::Half : part < left ? Rest::BelowHalf : Rest::AboveHalf;
}

ScaledNumber negated(const ScaledNumber& number) noexcept {
  switch (number.rest) {
    case Rest::None: return {-number.floor, Rest::None};
    case Rest::BelowHalf: return {-number.floor - 1, Rest::AboveHalf};
    case Rest::Half: return {-number.floor - 1, Rest::Half};
    case Rest::AboveHalf: break;
  }
  return number.floor == kHighest ? kBelowAll : ScaledNumber{-number.floor - 1, Rest::BelowHalf};
}

// A number of 192 bits.
struct Product {
  uint64_t high;
  UInt128 low;

  bool bit(int i) const noexcept {
    if (i >= 192) return false;
    return i < 128 ? (low >> i & 1) != 0 : (high >> (i - 128) & 1) != 0;
  }
  bool any_below(int bits) const noexcept {
    if (bits <= 0) return false;
    if (bits < 128) return (low & ((UInt128{1} << bits) - 1)) != 0;
    if (bits >= 192) return low != 0 || high != 0;
    return low != 0 || (high & ((uint64_t{1} << (bits - 128)) - 1)) != 0;
  }
};

Product multiplied(uint64_t a, UInt128 b) noexcept {
  const UInt128 low = UInt128{a} * static_cast<uint64_t>(b);
  const UInt128 high = UInt128{a} * static_cast<uint64_t>(b >> 64);
  const UInt128 sum = low + (high << 64);
  return {static_cast<uint64_t>(high >> 64) + (sum < low), sum};
}

int width_of(UInt128 number) noexcept {
  const auto high = static_cast<uint64_t>(number >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<uint64_t>(number));
}

// Returns product x 2^power.
ScaledNumber shifted(const Product& product, int power) noexcept {
  if (product.high == 0 && product.low == 0) return {};
  if (power >= 0) {
    if (product.high != 0 || width_of(product.low) + power > 127) return kAboveAll;
    return {static_cast<Int128>(product.low << power), Rest::None};
  }
  const int down = -power;
  UInt128 whole = 0;
  if (down < 128) {
    if (down < 64 && product.high >> down != 0) return kAboveAll;
    whole = product.low >> down | UInt128{product.high} << (128 - down);
  } else if (down < 192) {
    whole = product.high >> (down - 128);
  }
  if (whole >> 127 != 0) return kAboveAll;
  const bool half = product.bit(down - 1), more = product.any_below(down - 1);
  return {static_cast<Int128>(whole), half   ? more ? Rest::AboveHalf : Rest::Half
                                      : more ? Rest::BelowHalf
                                             : Rest::None};
}

// A number's text: digits, of which `before` are before the point, x 10^exponent.
struct Digits {
  bool is_negative = false;
  std::string_view whole, part;  // before and behind the point
  int64_t exponent = 0;

  size_t size() const noexcept { return whole.size() + part.size(); }
  int operator[](size_t i) const noexcept {
    return (i < whole.size() ? whole[i] : part[i - whole.size()]) - '0';
  }
  // The power of ten of digit i.
  int64_t power(size_t i) const noexcept {
    return static_cast<int64_t>(whole.size()) - 1 - static_cast<int64_t>(i) + exponent;
  }
};

std::string_view take_digits(std::string_view& text) noexcept {
  size_t end = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

std::optional<Digits> digits_of(std::string_view text) noexcept {
  constexpr int64_t kMaxExponent = 1'000'000;
  Digits digits;
  digits.is_negative = text.starts_with('-');
  if (digits.is_negative || text.starts_with('+')) text.remove_prefix(1);
  digits.whole = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits.part = take_digits(text);
  }
  if (digits.size() == 0) return std::nullopt;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.remove_prefix(1);
    const std::string_view power = take_digits(text);
    if (power.empty()) return std::nullopt;
    for (const char c : power) {
      digits.exponent = std::min(digits.exponent * 10 + (c - '0'), kMaxExponent);
    }
    if (is_negative) digits.exponent = -digits.exponent;
  }
  if (!text.empty()) return std::nullopt;
  return digits;
}

ScaledNumber magnitude_of(const Digits& digits, uint32_t scale) noexcept {
  const auto append = [](Int128& units, int digit) {
    return !__builtin_mul_overflow(units, Int128{10}, &units) &&
           !__builtin_add_overflow(units, Int128{digit}, &units);
  };
  const int64_t last = -static_cast<int64_t>(scale);  // the power of a unit
  Int128 units = 0;
  int half = 0;
  bool more = false;
  for (size_t i = 0; i < digits.size(); ++i) {
    const int64_t power = digits.power(i);
    if (power >= last && !append(units, digits[i])) return kAboveAll;
    if (power == last - 1)
      half = digits[i];
    else if (power < last)
      more = more || digits[i] != 0;
  }
  for (int64_t power = digits.power(digits.size() - 1); power > last && units != 0; --power) {
    if (!append(units, 0)) return kAboveAll;
  }
  if (half == 0 && !more) return {units, Rest::None};
  if (half == 5 && !more) return {units, Rest::Half};
  return {units, half >= 5 ? Rest::AboveHalf : Rest::BelowHalf};
}

}  // namespace

std::optional<Int128> ScaledNumber::nearest(uint64_t precision) const noexcept {
  const bool is_up = rest == Rest::AboveHalf || (rest == Rest::Half && floor >= 0);
  if (is_up && floor == kHighest) return std::nullopt;
  const Int128 units = floor + is_up;
  return has_digits(units, precision) ? std::optional(units) : std::nullopt;
}

ScaledNumber scaled(double number, uint32_t scale) noexcept {
  const double size = std::fabs(number);
  ScaledNumber found = kAboveAll;
  if (std::isfinite(size)) {
    constexpr int kBits = std::numeric_limits<double>::digits;
    int power = 0;
    const auto mantissa = static_cast<uint64_t>(std::ldexp(std::frexp(size, &power), kBits));
    found = shifted(multiplied(mantissa, static_cast<UInt128>(kPowersOfTen[scale])),
                    power - kBits);
  }
  return number < 0 ? negated(found) : found;
}

ScaledNumber scaled(Int128 units, uint32_t from_scale, uint32_t scale) noexcept {
  if (scale >= from_scale) {
    Int128 all = 0;
    if (!__builtin_mul_overflow(units, kPowersOfTen[scale - from_scale], &all)) {
      return {all, Rest::None};
    }
    return units < 0 ? kBelowAll : kAboveAll;
  }
  const Int128 unit = kPowersOfTen[from_scale - scale];
  Int128 floor = units / unit, part = units % unit;
  if (part < 0) {
    part += unit;
    --floor;
  }
  return {floor, rest_of(static_cast<UInt128>(part), static_cast<UInt128>(unit))};
}

std::optional<ScaledNumber> scaled(std::string_view text, uint32_t scale) noexcept {
  const std::optional<Digits> digits = digits_of(text);
  if (!digits) return std::nullopt;
  const ScaledNumber size = magnitude_of(*digits, scale);
  return digits->is_negative ? negated(size) : size;
}

std::strong_ordering compare_decimals(Int128 a, uint32_t scale_a, Int128 b,
                                      uint32_t scale_b) noexcept {
  if (scale_a > scale_b) return 0 <=> compare_decimals(b, scale_b, a, scale_a);
  Int128 raised = 0;
  if (__builtin_mul_overflow(a, kPowersOfTen[scale_b - scale_a], &raised)) return a <=> 0;
  return raised <=> b;
}

std::partial_ordering compare_decimals(Int128 units, uint32_t scale, double number) noexcept {
  if (number != number) return std::partial_ordering::unordered;
  const ScaledNumber other = scaled(number, scale);
  if (units != other.floor) return units <=> other.floor;
  return other.is_exact() ? std::partial_ordering::equivalent : std::partial_ordering::less;
}

double as_double(Int128 units, uint32_t scale) noexcept {
  // Float64 holds both numbers, so that only the division rounds.
  constexpr Int128 kMaxExact = Int128{1} << std::numeric_limits<double>::digits;
  constexpr uint32_t kMaxExactPower = 22;
  static constexpr auto kPowers = [] {
    std::array<double, kMaxExactPower + 1> powers{1};
    for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
  }();
  if (units <= kMaxExact && units >= -kMaxExact && scale <= kMaxExactPower) {
    return static_cast<double>(static_cast<int64_t>(units)) / kPowers[scale];
  }
  char text[kMaxDecimalText];
  double nearest = 0;
  std::from_chars(text, put_decimal(text, units, scale), nearest);
  return nearest;
}

char* put_decimal(char* out, Int128 units, uint32_t scale) noexcept {
  char text[kMaxDecimalText];
  char* const end = text + kMaxDecimalText;
  char* at = end;
  auto rest = static_cast<UInt128>(units);
  if (units < 0) rest = 0 - rest;
  uint32_t digit = 0;
  const auto put = [&](auto number) {
    if (digit == scale && scale != 0) *--at = '.';
    *--at = static_cast<char>('0' + static_cast<int>(number % 10));
    ++digit;
  };
  for (; rest > UINT64_MAX; rest /= 10) put(rest);
  for (auto word = static_cast<uint64_t>(rest); word != 0 || digit <= scale; word /= 10) put(word);
  if (units < 0) *--at = '-';
  return std::copy(at, end, out);
}

std::string decimal_text(Int128 units, uint32_t scale) {
  char text[kMaxDecimalText];
  return {text, put_decimal(text, units, scale)};
}

std::optional<Type> decimal_type_of(std::string_view number) noexcept {
  const std::optional<Digits> digits = digits_of(number);
  if (!digits) return std::nullopt;
  const int64_t last = digits->power(digits->size() - 1);
  const int64_t scale = std::max<int64_t>(-last, 0);
  if (scale > Type::kMaxPrecision) return std::nullopt;
  size_t first = 0;
  while (first + 1 < digits->size() && (*digits)[first] == 0) ++first;
  const int64_t precision = std::max<int64_t>(digits->power(first) + 1, 0) + scale;
  if (precision > Type::kMaxPrecision) return std::nullopt;
  return Type::decimal(static_cast<uint32_t>(std::max<int64_t>(precision, 1)),
                       static_cast<uint32_t>(scale));
}

std::optional<Type> named_decimal(std::string_view name) {
  const size_t open = name.find_first_of("[(");
  if (open == name.npos || (!name.ends_with(']') && !name.ends_with(')'))) return std::nullopt;
  const std::string_view word = name.substr(0, open);
  if (word != "decimal" && word != "numeric") return std::nullopt;
  const std::string_view sizes = name.substr(open + 1, name.size() - open - 2);
  const size_t comma = sizes.find(',');
  const auto number = [](std::string_view text) -> std::optional<uint32_t> {
    while (text.starts_with(' ')) text.remove_prefix(1);
    uint32_t value = 0;
    return parse_whole(text, value) ? std::optional(value) : std::nullopt;
  };
  const auto precision = number(sizes.substr(0, comma));
  const auto scale = comma == sizes.npos ? std::optional(uint32_t{0})
                                         : number(sizes.substr(comma + 1));
  if (!precision || !scale) return std::nullopt;
  return Type::decimal(*precision, *scale);
}

}  // namespace heron::inline v0
