// Decimals compared with their digits as text, which any number of digits can be.
#include "values/decimals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "error_of.h"
#include "heron/error.h"
#include "kit/plain_table.h"

namespace heron {
namespace {

using Rest = ScaledNumber::Rest;

constexpr Int128 kMaxUnits = kPowersOfTen[38] - 1;

Int128 random_units(std::mt19937_64& random) {
  const auto digits = random() % 39;
  const auto units = static_cast<Int128>((UInt128{random()} << 64 | random()) >> 1);
  const Int128 some = units % kPowersOfTen[digits];
  return random() % 2 == 0 ? some : -some;
}

TEST(Decimals, AreWrittenWithAllTheirDigits) {
  EXPECT_EQ(decimal_text(0, 0), "0");
  EXPECT_EQ(decimal_text(0, 2), "0.00");
  EXPECT_EQ(decimal_text(-5, 2), "-0.05");
  EXPECT_EQ(decimal_text(12'345, 2), "123.45");
  EXPECT_EQ(decimal_text(kMaxUnits, 0), std::string(38, '9'));
  EXPECT_EQ(decimal_text(-kMaxUnits, 38), "-0." + std::string(38, '9'));
  EXPECT_EQ(decimal_text(Int128{1} << 64, 10), "1844674407.3709551616");
}

TEST(Decimals, AreReadAsWritten) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Int128 units = random_units(random);
    const auto scale = static_cast<uint32_t>(random() % 39);
    const std::string text = decimal_text(units, scale);
    ASSERT_EQ(text, text_of(PlainDecimal{units, scale}));
    const auto number = scaled(text, scale);
    ASSERT_TRUE(number && number->is_exact()) << text;
    ASSERT_TRUE(number->floor == units) << text;
  }
  for (const char* text : {"", "-", ".", "1e", "1.2.3", "x", " 1", "0x1"}) {
    EXPECT_FALSE(scaled(std::string_view(text), 2)) << text;
  }
  EXPECT_TRUE(scaled("+1.5e3", 2)->floor == 150'000);
  EXPECT_TRUE(scaled("12e-3", 2)->rest == Rest::BelowHalf);
  EXPECT_TRUE(scaled("0.005", 2)->rest == Rest::Half);
  EXPECT_TRUE(scaled("-0.0051", 2)->floor == -1);
  EXPECT_TRUE(scaled("-0.0051", 2)->rest == Rest::BelowHalf);
  EXPECT_TRUE(scaled("1e999999999999", 2)->floor == std::numeric_limits<Int128>::max());
  EXPECT_TRUE(scaled("-1e99", 2)->floor == std::numeric_limits<Int128>::min());
  EXPECT_TRUE(scaled("0e99", 2)->floor == 0);
}

TEST(Decimals, RoundHalvesAwayFromZero) {
  const auto rounded = [](const char* text) {
    return decimal_text(scaled(std::string_view(text), 1)->nearest(38).value(), 1);
  };
  EXPECT_EQ(rounded("0.25"), "0.3");
  EXPECT_EQ(rounded("-0.25"), "-0.3");
  EXPECT_EQ(rounded("0.249"), "0.2");
  EXPECT_EQ(rounded("-0.249"), "-0.2");
  EXPECT_EQ(rounded("0.251"), "0.3");
  EXPECT_EQ(rounded("-0.251"), "-0.3");
  EXPECT_FALSE(scaled("9.95", 1)->nearest(2));
  EXPECT_FALSE(scaled(std::numeric_limits<double>::infinity(), 1).nearest(38));
  EXPECT_FALSE(scaled(-std::numeric_limits<double>::infinity(), 1).nearest(38));
}

// Decimals and floats near each other, and far apart.
TEST(Decimals, CompareExactlyWithFloatsAndEachOther) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 4000; ++i) {
    const Int128 units = random_units(random);
    const auto scale = static_cast<uint32_t>(random() % 39);
    double number = std::strtod(decimal_text(units, scale).c_str(), nullptr);
    if (random() % 4 == 0) number = std::nextafter(number, 1e300);
    if (random() % 4 == 0) number = std::nextafter(number, -1e300);
    if (random() % 16 == 0) number = std::ldexp(number, static_cast<int>(random() % 600) - 300);
    ASSERT_TRUE(compare_decimals(units, scale, number) ==
                compare(PlainDecimal{units, scale}, PlainValue(number)))
        << decimal_text(units, scale) << ' ' << number;
    const auto other_scale = static_cast<uint32_t>(random() % 39);
    const auto near = scaled(units, scale, other_scale).nearest(38);
    const Int128 other = near && random() % 2 == 0 ? *near : random_units(random);
    ASSERT_TRUE(std::partial_ordering(compare_decimals(units, scale, other, other_scale)) ==
                compare(PlainDecimal{units, scale}, PlainDecimal{other, other_scale}))
        << decimal_text(units, scale) << ' ' << decimal_text(other, other_scale);
  }
  EXPECT_TRUE(compare_decimals(1, 0, std::nan("")) == std::partial_ordering::unordered);
}

TEST(Decimals, BecomeTheNearestFloat) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 4000; ++i) {
    const Int128 units = random_units(random);
    const auto scale = static_cast<uint32_t>(random() % 39);
    ASSERT_EQ(as_double(units, scale), std::strtod(decimal_text(units, scale).c_str(), nullptr))
        << decimal_text(units, scale);
  }
}

TEST(Decimals, HaveTypesOfTheirDigits) {
  EXPECT_EQ(decimal_type_of("1.50"), Type::decimal(3, 2));
  EXPECT_EQ(decimal_type_of("-0.05"), Type::decimal(2, 2));
  EXPECT_EQ(decimal_type_of("0"), Type::decimal(1, 0));
  EXPECT_EQ(decimal_type_of("007"), Type::decimal(1, 0));
  EXPECT_EQ(decimal_type_of(std::string(38, '9')), Type::decimal(38, 0));
  EXPECT_EQ(decimal_type_of(std::string(39, '9')), std::nullopt);
  EXPECT_EQ(decimal_type_of("0." + std::string(39, '1')), std::nullopt);
  EXPECT_EQ(named_decimal("decimal[10,2]"), Type::decimal(10, 2));
  EXPECT_EQ(named_decimal("numeric(5)"), Type::decimal(5, 0));
  EXPECT_EQ(named_decimal("decimal(10, 2)"), Type::decimal(10, 2));
  EXPECT_EQ(named_decimal("decimal"), std::nullopt);
  EXPECT_EQ(named_decimal("decimal[a,2]"), std::nullopt);
  EXPECT_NE(test::error_of(ErrorKind::Argument, [] { named_decimal("decimal[39,2]"); }), "");
}

}  // namespace
}  // namespace heron
