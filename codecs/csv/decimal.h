// Decimal numbers: parsed once into digits and an exponent, from which the values of all types are
// computed, and which show the types that hold the number.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/cpu.h"

namespace heron::inline v0::csv {

// -?digits[.digits][e[+-]digits], with digits before or after the point.
struct Decimal {
  uint64_t digits = 0;   // of whole and fraction; invalid if is_long
  int64_t exponent = 0;  // a power of ten
  bool negative = false;
  bool is_whole = true;  // neither point nor exponent
  bool is_long = false;  // more digits than surely fit
  // No plus and no redundant zeros: a whole number is written back as it was read.
  bool is_plain = true;
};

namespace digits {

inline uint64_t load_eight(const char* text) noexcept {
  uint64_t word;
  std::memcpy(&word, text, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// How many of the eight bytes are digits before the first other byte. A byte is a digit if its high
// half is 3 and stays so when 6 is added; a carry affects only later bytes.
inline unsigned count(uint64_t word) noexcept {
  constexpr uint64_t kHigh = 0xF0F0F0F0F0F0F0F0, kThrees = 0x3030303030303030;
  const uint64_t others =
      ((word & kHigh) ^ kThrees) | (((word + 0x0606060606060606) & kHigh) ^ kThrees);
  return static_cast<unsigned>(std::countr_zero(others)) / 8;
}

// The number of eight digits: joins neighbours, then pairs, then fours.
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

}  // namespace digits

// Returns false if the text is no number. Eight bytes behind it must be readable.
HERON_INLINE bool read_decimal(std::string_view text, Decimal& decimal) noexcept {
  constexpr uint64_t kSureDigits = 19;
  constexpr uint64_t kLeastOfTwenty = 10'000'000'000'000'000'000u;  // one that wraps is less
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
                                             decimal.digits >= kLeastOfTwenty);
  if (next == end) return true;

  if ((*next | 0x20) != 'e' || ++next == end) return false;
  decimal.is_whole = false;
  const bool minus = *next == '-';
  next += minus || *next == '+';
  const char* const start = next;
  uint64_t exponent = 0;
  next = digits::take(next, end, exponent);
  if (next == start || next != end) return false;
  if (next - start > 9) decimal.is_long = true;
  decimal.exponent += static_cast<int64_t>(minus ? 0 - exponent : exponent);
  return true;
}

// The nearest value of the type, with ties to the even last bit; nullopt if it overflows. `text` is
// the parsed text.
template <class T>
std::optional<T> to_float(const Decimal& decimal, std::string_view text) noexcept;

// "NaN", "inf", "Infinity", in letters of either case, the last two with an optional minus.
std::optional<double> number_word(std::string_view text) noexcept;

// Whether the double nearest to a whole number keeps all its digits: its shortest form has the same
// digits.
bool double_keeps(const Decimal& decimal, std::string_view text) noexcept;

}  // namespace heron::inline v0::csv
