// Decimal numbers against std::from_chars: every length and position of the point, numbers at and
// beside the halves between two doubles, and the end of readable memory.
#include "csv/decimal.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <random>
#include <span>
#include <string>

#include "csv/number_parser.h"
#include "kit/guarded_bytes.h"

namespace heron::csv {
namespace {

double plain_double(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// A text followed by as many bytes as may be read: digits that must not count.
class Padded {
 public:
  explicit Padded(const std::string& text) : size_(text.size()), bytes_(text) {
    bytes_.append(digits::kReadBehind, '7');
  }
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  size_t size_;
  std::string bytes_;
};

void expect_exact(const std::string& text) {
  const Padded padded(text);
  double value = -1;
  ASSERT_TRUE(NumberParser<double>().parse(padded.text(), value)) << text;
  ASSERT_EQ(std::bit_cast<uint64_t>(value), std::bit_cast<uint64_t>(plain_double(text)))
      << text << ' ' << value;
}

std::string random_digits(std::mt19937_64& random, uint64_t count) {
  std::string text;
  for (uint64_t i = 0; i < count; ++i) text += static_cast<char>('0' + random() % 10);
  return text;
}

TEST(Decimal, NumbersOfEveryLengthAndPointAreExact) {
  std::mt19937_64 random(1);
  for (uint64_t whole = 0; whole <= 24; ++whole) {
    for (uint64_t fraction = 0; fraction <= 30; ++fraction) {
      if (whole + fraction == 0) continue;
      for (int repeat = 0; repeat < 20; ++repeat) {
        std::string text = repeat % 2 == 0 ? "-" : "";
        text += random_digits(random, whole);
        if (fraction != 0 || repeat % 3 == 0) text += '.' + random_digits(random, fraction);
        expect_exact(text);
        if (repeat % 5 == 0) expect_exact(text + "e-" + std::to_string(random() % 40));
      }
    }
  }
}

TEST(Decimal, ShortestTextsOfRandomDoublesAreReadBack) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200'000; ++i) {
    const int scale = static_cast<int>(random() % 60) - 40;
    const double number = std::ldexp(static_cast<double>(random()), scale - 30);
    std::array<char, 64> room;
    const auto end = std::to_chars(room.data(), room.data() + room.size(), number,
                                   std::chars_format::fixed);
    if (end.ec != std::errc()) continue;
    expect_exact(std::string(room.data(), end.ptr));
  }
}

// Halfway from a double of 53 bits to the next, a number has 17 digits or more and is rounded to
// even; its neighbours are not halves any more.
TEST(Decimal, HalvesAreRoundedToEven) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t odd = (random() >> 11 | uint64_t{1} << 52) * 2 + 1;  // 54 bits
    for (const int64_t more : {-1, 0, 1}) {
      // The number in quarters, with two digits behind the point, and whole.
      const uint64_t number = odd * 25 / 25 + static_cast<uint64_t>(more);
      expect_exact(std::to_string(number));
      expect_exact(std::to_string(odd / 4) + "." + std::to_string(odd % 4 * 25 + 100).substr(1));
      expect_exact(std::to_string(odd / 4) + "." + std::to_string(odd % 4 * 25 + 100).substr(1) +
                   (more > 0 ? "1" : "0"));
      const std::string digits = std::to_string(number);
      expect_exact("0." + digits);
      expect_exact(digits.substr(0, 4) + '.' + digits.substr(4));
    }
  }
}

TEST(Decimal, QuotientsAreRoundedOnceForEveryPower) {
  std::mt19937_64 random(4);
  for (unsigned power = 0; power <= digits::kMaxFive; ++power) {
    for (int i = 0; i < 4'000; ++i) {
      const uint64_t number = (random() >> random() % 64) | 1;
      const std::string text = std::to_string(number) + "e-" + std::to_string(power);
      ASSERT_EQ(digits::quotient_of(number, power), plain_double(text)) << text;
    }
  }
  EXPECT_EQ(digits::quotient_of(UINT64_MAX, 0), 18446744073709551616.0);
  EXPECT_EQ(digits::quotient_of(1, 27), 1e-27);
}

TEST(Decimal, ExponentsOfManyDigitsAreExact) {
  for (const char* text :
       {"1e0000000005", "12.5e-0000000000000000003", "-.5E+00000000000000000000001",
        ".00000e9223372036854775808", "0e99999999999999999999"}) {
    expect_exact(text);
  }
}

TEST(Decimal, WhatIsNoNumberIsRefused) {
  for (const char* text : {"", "-", ".", "-.", "+", "1.2.3", "1-", "--1", "1a", "a1", "1.a", "0x1",
                           "1 ", " 1", "1,5", "1e", "e1", "1.5-", "-1-1", "1..", "/", ":", "1/2"}) {
    const Padded padded(text);
    Decimal decimal;
    EXPECT_FALSE(read_decimal(padded.text(), decimal)) << text;
  }
}

TEST(Decimal, RedundantZerosAndSignsAreNotPlain) {
  const auto is_plain = [](const char* text) {
    const Padded padded(text);
    Decimal decimal;
    EXPECT_TRUE(read_decimal(padded.text(), decimal)) << text;
    return decimal.is_plain;
  };
  for (const char* text : {"0", "-0", "0.5", ".5", "5.", "-0.0", "10", "1.00", "123456789012"}) {
    EXPECT_TRUE(is_plain(text)) << text;
  }
  for (const char* text : {"00", "-01", "01.5", "+1", "007", "0123456789012"}) {
    EXPECT_FALSE(is_plain(text)) << text;
  }
}

TEST(Decimal, ReadsNoFurtherThanItSays) {
  GuardedBytes guarded(4096);
  for (size_t bytes = 1; bytes <= 40; ++bytes) {
    for (const size_t point : {size_t{0}, bytes / 2, bytes}) {
      std::string text(bytes, '3');
      if (point < bytes) text[point] = '.';
      if (text == ".") continue;
      std::string all = text;
      all.append(digits::kReadBehind, '9');
      const auto* data =
          reinterpret_cast<const char*>(guarded.hold(std::as_bytes(std::span(all))).data());
      Decimal decimal;
      ASSERT_TRUE(read_decimal({data, bytes}, decimal)) << text;
      const auto value = to_float<double>(decimal, {data, bytes});
      ASSERT_TRUE(value.has_value());
      ASSERT_EQ(*value, plain_double(text)) << text;
    }
  }
}

}  // namespace
}  // namespace heron::csv
