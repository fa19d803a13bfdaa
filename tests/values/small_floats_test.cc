// Every float of 16 and 8 bits is the value that its parts make.
#include "values/small_floats.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace heron {
namespace {

struct FloatParts {
  SmallFloat kind;
  unsigned exponent_bits, fraction_bits;
};

// Computes a value from sign, exponent and fraction.
double slow_value(const FloatParts& parts, unsigned bits) {
  const unsigned fraction = bits & ((1u << parts.fraction_bits) - 1);
  const unsigned exponent = bits >> parts.fraction_bits & ((1u << parts.exponent_bits) - 1);
  const bool negative = (bits >> (parts.fraction_bits + parts.exponent_bits) & 1) != 0;
  const unsigned largest = (1u << parts.exponent_bits) - 1;
  const int bias = (1 << (parts.exponent_bits - 1)) - 1;
  const int scale = static_cast<int>(parts.fraction_bits) + bias;
  double magnitude;
  if (parts.kind == SmallFloat::Float8E4M3 && exponent == largest && fraction == 7) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else if (parts.kind != SmallFloat::Float8E4M3 && exponent == largest) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, 1 - scale);
  } else {
    magnitude =
        std::ldexp(fraction + (1u << parts.fraction_bits), static_cast<int>(exponent) - scale);
  }
  return negative ? -magnitude : magnitude;
}

void expect_every_float(const FloatParts& parts) {
  const uint64_t count = uint64_t{1} << (8 * width_of(parts.kind));
  std::vector<std::byte> cells(count * width_of(parts.kind) + 1);
  for (uint64_t i = 0; i < count; ++i) {
    std::memcpy(cells.data() + 1 + i * width_of(parts.kind), &i, width_of(parts.kind));
  }
  std::vector<float> floats(count);
  widen_floats(parts.kind, cells.data() + 1, count, floats.data());
  for (uint64_t i = 0; i < count; ++i) {
    const double expected = slow_value(parts, static_cast<unsigned>(i));
    ASSERT_EQ(std::signbit(floats[i]), std::signbit(expected)) << i;
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(floats[i])) << i;
      ASSERT_NE(std::bit_cast<uint32_t>(floats[i]) & 0x0040'0000u, 0u) << i;
    } else {
      ASSERT_EQ(double{floats[i]}, expected) << i;
    }
  }
}

TEST(SmallFloats, EveryHalf) {
  expect_every_float({SmallFloat::Half, 5, 10});
}
TEST(SmallFloats, EveryBFloat16) {
  expect_every_float({SmallFloat::BFloat16, 8, 7});
}
TEST(SmallFloats, EveryFloat8E4M3) {
  expect_every_float({SmallFloat::Float8E4M3, 4, 3});
}
TEST(SmallFloats, EveryFloat8E5M2) {
  expect_every_float({SmallFloat::Float8E5M2, 5, 2});
}

// Returns the values of all cells without a sign, up to infinity, in ascending order.
std::vector<double> magnitudes(const FloatParts& parts) {
  std::vector<double> all;
  for (unsigned bits = 0; all.empty() || !std::isinf(all.back()); ++bits) {
    all.push_back(slow_value(parts, bits));
  }
  return all;
}

// Numbers between two cells, up to the middle, become the lower one, and the middle the even one.
void expect_nearest(const FloatParts& parts) {
  const std::vector<double> all = magnitudes(parts);
  const unsigned sign = 0x8000;
  const auto expect = [&](double value, size_t cell) {
    ASSERT_EQ(narrow_float(parts.kind, value), cell) << value;
    ASSERT_EQ(narrow_float(parts.kind, -value), cell | sign) << value;
  };
  for (size_t cell = 0; cell + 1 < all.size(); ++cell) {
    const double low = all[cell];
    // As if infinity were one more step.
    const double high = cell + 2 < all.size() ? all[cell + 1] : 2 * low - all[cell - 1];
    const double middle = low + (high - low) / 2;
    expect(low, cell);
    expect(std::nextafter(middle, low), cell);
    expect(middle, cell + cell % 2);
    expect(std::nextafter(middle, high), cell + 1);
  }
  expect(std::numeric_limits<double>::infinity(), all.size() - 1);
  expect(std::numeric_limits<double>::max(), all.size() - 1);
  expect(std::numeric_limits<double>::denorm_min(), 0);
  float nan;
  for (const double of : {std::nan(""), -std::nan("")}) {
    const uint16_t cell = narrow_float(parts.kind, of);
    widen_floats(parts.kind, reinterpret_cast<const std::byte*>(&cell), 1, &nan);
    EXPECT_TRUE(std::isnan(nan));
    EXPECT_EQ(std::signbit(nan), std::signbit(of));
  }
}

TEST(SmallFloats, NearestHalf) {
  expect_nearest({SmallFloat::Half, 5, 10});
}
TEST(SmallFloats, NearestBFloat16) {
  expect_nearest({SmallFloat::BFloat16, 8, 7});
}

// Vector instructions convert eight at a time; each length ends differently.
TEST(SmallFloats, EveryLength) {
  for (uint64_t count = 0; count < 40; ++count) {
    const std::vector<uint16_t> halves(count, 0xC500);
    std::vector<float> floats(count + 1, 7.0f);
    widen_floats(SmallFloat::Half, reinterpret_cast<const std::byte*>(halves.data()), count,
                 floats.data());
    for (uint64_t i = 0; i < count; ++i) EXPECT_EQ(floats[i], -5.0f);
    EXPECT_EQ(floats[count], 7.0f);
  }
}

}  // namespace
}  // namespace heron
