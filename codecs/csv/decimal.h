// Decimal numbers: a text is parsed once into digits and an exponent, from which the values of all
// types are computed, and which show the types that hold the number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/cpu.h"
#include "base/int128.h"

namespace heron::inline v0::csv {

// -?digits[.digits][e[+-]digits], with digits before or after the point.
struct Decimal {
  uint64_t digits = 0;   // digits of whole and fraction; invalid if is_long
  int64_t exponent = 0;  // a power of ten; invalid if is_long
  bool negative = false;
  bool is_whole = true;  // neither point nor exponent
  bool is_long = false;  // more digits than are sure to fit, in the number or its exponent
  // The text has no plus and no redundant zeros: a whole number is written back as it was read.
  bool is_plain = true;
};

namespace digits {

inline uint64_t load_eight(const char* text) noexcept {
  uint64_t word;
  std::memcpy(&word, text, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// Counts the digits among the eight bytes before the first other byte. A byte is a digit if its
// high half is 3 and stays so when 6 is added; a carry affects only later bytes.
inline unsigned count(uint64_t word) noexcept {
  constexpr uint64_t kHigh = 0xF0F0F0F0F0F0F0F0, kThrees = 0x3030303030303030;
  const uint64_t others =
      ((word & kHigh) ^ kThrees) | (((word + 0x0606060606060606) & kHigh) ^ kThrees);
  return static_cast<unsigned>(std::countr_zero(others)) / 8;
}

// Returns the number that eight digits write: joins neighbours, then pairs, then fours.
inline uint64_t value(uint64_t word) noexcept {
  word &= 0x0F0F0F0F0F0F0F0F;
  word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FF;
  word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFF;
  return (word * 10000 + (word >> 32)) & 0xFFFFFFFF;
}

// Reads digits up to another byte or the end; eight bytes behind the end must be readable.
HERON_INLINE const char* take(const char* next, const char* end, uint64_t& number) noexcept {
  static constexpr uint64_t kPowers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000};
  for (;;) {
    const uint64_t word = load_eight(next);
    uint64_t digits = count(word);
    const auto left = static_cast<uint64_t>(end - next);
    if (digits > left) digits = left;
    if (digits < 8) {
      if (digits == 0) return next;
      number = number * kPowers[digits] + value(word << (64 - 8 * digits));
      return next + digits;
    }
    number = number * 100'000'000 + value(word);
    next += 8;
  }
}

// The number of bytes that read_decimal() may read behind a text.
constexpr size_t kReadBehind = 32;

// Bit i of each mask says whether byte i of a text is a digit, or a point.
struct Marks {
  uint32_t digits;
  uint32_t points;
};

#if defined(__SSE2__)
// Marks 32 bytes.
HERON_INLINE Marks find_marks(const char* text) noexcept {
  Marks found{0, 0};
  for (unsigned half = 0; half < 2; ++half) {
    const __m128i some =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + size_t{16} * half));
    const __m128i values = _mm_sub_epi8(some, _mm_set1_epi8('0'));
    const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    found.digits |= static_cast<uint32_t>(_mm_movemask_epi8(is_digit)) << 16 * half;
    const __m128i is_point = _mm_cmpeq_epi8(some, _mm_set1_epi8('.'));
    found.points |= static_cast<uint32_t>(_mm_movemask_epi8(is_point)) << 16 * half;
  }
  return found;
}
#endif

// The lengths of the parts of a number that has at most 21 bytes and neither an exponent nor a
// plus.
struct Usual {
  uint32_t minus = 0;  // 1 with a minus
  uint32_t whole = 0;  // number of digits before the point
  uint32_t fraction = 0;
  bool has_point = false;
  bool is_plain = true;
};

// Returns false if the text is no such number.
HERON_INLINE bool find_usual(std::string_view text, Usual& usual) noexcept {
#if defined(__SSE2__)
  constexpr size_t kMaximum = 21;
  const size_t bytes = text.size();
  if (bytes - 1 >= kMaximum) return false;
  const Marks found = find_marks(text.data());
  const uint32_t all = (uint32_t{1} << bytes) - 1;
  const uint32_t digits = found.digits & all, points = found.points & all;
  usual.minus = *text.data() == '-' ? 1 : 0;
  if ((digits | points | usual.minus) != all || (points & (points - 1)) != 0 || digits == 0) {
    return false;
  }
  usual.has_point = points != 0;
  const auto size = static_cast<uint32_t>(bytes);
  const auto end = usual.has_point ? static_cast<uint32_t>(std::countr_zero(points)) : size;
  usual.whole = end - usual.minus;
  usual.fraction = size - end - (usual.has_point ? 1 : 0);
  usual.is_plain = usual.whole < 2 || text.data()[usual.minus] != '0';
  return true;
#else
  static_cast<void>(text);
  static_cast<void>(usual);
  return false;
#endif
}

// Returns the number that the first `count` of eight bytes write, 0 to 8 digits. A shift by 63 for
// a count of 0 leaves one bit, which value() masks out.
HERON_INLINE uint64_t first_digits(const char* text, uint32_t count) noexcept {
  return value(load_eight(text) << std::min(64 - 8 * count, uint32_t{63}));
}

inline constexpr std::array<uint64_t, 20> kWholePowers = [] {
  std::array<uint64_t, 20> powers{1};
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

// Returns false and does nothing if there are more digits than this function takes.
HERON_INLINE bool read_usual(std::string_view text, const Usual& usual, Decimal& decimal) noexcept {
  constexpr uint32_t kMaxDigits = 19;
  const auto [minus, whole, fraction, has_point, is_plain] = usual;
  if (whole > 8 || whole + fraction > kMaxDigits) return false;
  const char* next = text.data() + minus;
  uint64_t number = first_digits(next, whole);
  next += whole + 1;
  if (fraction > 8) {
    const uint32_t second = std::min(fraction - 8, uint32_t{8}), third = fraction - 8 - second;
    const uint64_t upper =
        value(load_eight(next)) * kWholePowers[second] + first_digits(next + 8, second);
    number = number * kWholePowers[fraction] + upper * kWholePowers[third] +
             first_digits(next + 16, third);
  } else if (fraction != 0) {
    number = number * kWholePowers[fraction] + first_digits(next, fraction);
  }
  decimal.digits = number;
  decimal.exponent = -int64_t{fraction};
  decimal.negative = minus != 0;
  decimal.is_whole = !has_point;
  decimal.is_long = false;
  decimal.is_plain = is_plain;
  return true;
}

}  // namespace digits

// Returns false if the text is no number. digits::kReadBehind bytes behind the text must be
// readable.
HERON_INLINE bool read_decimal(std::string_view text, Decimal& decimal) noexcept {
  digits::Usual usual;
  if (digits::find_usual(text, usual) && digits::read_usual(text, usual, decimal)) return true;
  constexpr uint64_t kSureDigits = 19;
  constexpr uint64_t kMinOfTwenty = 10'000'000'000'000'000'000u;  // a wrapped number is less
  const char* next = text.data();
  const char* const end = next + text.size();
  if (text.empty()) return false;
  decimal.negative = *next == '-';
  decimal.is_plain = *next != '+';
  next += decimal.negative || !decimal.is_plain;

  decimal.digits = 0;
  const char* const whole = next;
  next = digits::take(next, end, decimal.digits);
  auto count = static_cast<uint64_t>(next - whole);
  if (count > 1 && *whole == '0') decimal.is_plain = false;
  decimal.exponent = 0;
  decimal.is_whole = true;
  if (next != end && *next == '.') {
    const char* const fraction = ++next;
    next = digits::take(next, end, decimal.digits);
    decimal.exponent = -(next - fraction);
    count += static_cast<uint64_t>(next - fraction);
    decimal.is_whole = false;
  }
  if (count == 0) return false;
  decimal.is_long = count > kSureDigits && !(count == kSureDigits + 1 && *whole == '1' &&
                                             decimal.digits >= kMinOfTwenty);
  if (next == end) return true;

  if ((*next | 0x20) != 'e' || ++next == end) return false;
  decimal.is_whole = false;
  const bool minus = *next == '-';
  next += minus || *next == '+';
  const char* const start = next;
  uint64_t exponent = 0;
  next = digits::take(next, end, exponent);
  if (next == start || next != end) return false;
  if (next - start > 9) {  // the exponent may exceed 64 bits
    decimal.is_long = true;
  } else {
    decimal.exponent += minus ? -static_cast<int64_t>(exponent) : static_cast<int64_t>(exponent);
  }
  return true;
}

namespace digits {

constexpr uint64_t kMaxExact = uint64_t{1} << 53;  // doubles hold all integers up to it

// The powers of ten that a double holds exactly.
inline constexpr std::array<double, 23> kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int64_t kMaxPower = kPowers.size() - 1;

// The powers of five that 64 bits hold.
inline constexpr std::array<uint64_t, 28> kFives = [] {
  std::array<uint64_t, 28> fives{1};
  for (size_t i = 1; i < fives.size(); ++i) fives[i] = 5 * fives[i - 1];
  return fives;
}();
constexpr int64_t kMaxFive = kFives.size() - 1;

struct Quotient {
  uint64_t whole;
  uint64_t rest;
};

// Returns (high * 2^64 + low) / divisor. `high` is below `divisor`, so that the quotient has 64
// bits.
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

// Returns the double nearest to digits / 10^power; `digits` are not 0, `power` is at most
// kMaxFive. The quotient by the power of five has at least 61 bits, and its lowest bit also says
// whether nonzero bits follow: converted to a double, it is rounded once. A power of two changes no
// digit.
HERON_INLINE double quotient_of(uint64_t digits, unsigned power) noexcept {
  const int zeros = std::countl_zero(digits);
  const int five_zeros = std::countl_zero(kFives[power]);
  const uint64_t scaled = digits << zeros;
  const auto [whole, rest] = divide(scaled >> 1, scaled << 63, kFives[power] << five_zeros);
  const auto bits = static_cast<int64_t>(whole >> 1 | (whole & 1) | uint64_t{rest != 0});
  const int exponent = five_zeros - zeros - 62 - static_cast<int>(power);
  return static_cast<double>(bits) *
         std::bit_cast<double>(static_cast<uint64_t>(1023 + exponent) << 52);
}

// Sets the sign without a branch: signs are often as good as random.
HERON_INLINE double signed_as(double magnitude, bool negative) noexcept {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(magnitude) | uint64_t{negative} << 63);
}

}  // namespace digits

// Parses the text of any number again, as to_float() does.
std::optional<double> to_double_of_text(std::string_view text) noexcept;

// Returns the nearest value of the type, with ties to the even last bit; nullopt if it overflows.
// `text` is the parsed text.
template <class T>
std::optional<T> to_float(const Decimal& decimal, std::string_view text) noexcept;

// Converts as to_float() does, but into `value`, which saves passing an optional through memory: a
// fifth of the time of reading a column. Returns false if the number overflows. A product or
// quotient of two exact doubles is rounded once, and thus correctly. In columns of numbers with
// many digits, some numbers often have more digits than a double holds: all are divided, so that no
// branch depends on it.
HERON_INLINE bool to_double(const Decimal& decimal, std::string_view text, double& value) noexcept {
  using namespace digits;
  constexpr uint64_t kMaxShort = uint64_t{1} << 32;
  double magnitude;
  if (!decimal.is_long && decimal.digits >= kMaxShort && decimal.exponent < 0 &&
      decimal.exponent >= -kMaxFive) {
    magnitude = quotient_of(decimal.digits, static_cast<unsigned>(-decimal.exponent));
  } else if (decimal.is_long || decimal.digits > kMaxExact || decimal.exponent < -kMaxPower ||
             decimal.exponent > kMaxPower) {
    const auto number = to_double_of_text(text);
    if (number) value = *number;
    return number.has_value();
  } else if (decimal.exponent < 0) {
    magnitude = static_cast<double>(decimal.digits) /
                kPowers[static_cast<size_t>(-decimal.exponent)];
  } else {
    magnitude =
        static_cast<double>(decimal.digits) * kPowers[static_cast<size_t>(decimal.exponent)];
  }
  value = signed_as(magnitude, decimal.negative);
  return true;
}

template <>
inline std::optional<double> to_float<double>(const Decimal& decimal,
                                              std::string_view text) noexcept {
  double value;
  if (!to_double(decimal, text, value)) return std::nullopt;
  return value;
}
template <>
std::optional<float> to_float<float>(const Decimal& decimal, std::string_view text) noexcept;

// Parses "NaN", "inf", "Infinity", in letters of either case, the last two with an optional minus.
std::optional<double> number_word(std::string_view text) noexcept;

// Returns whether the double nearest to a whole number keeps all its digits, so that its shortest
// form has the same digits.
bool double_keeps(const Decimal& decimal, std::string_view text) noexcept;

}  // namespace heron::inline v0::csv
