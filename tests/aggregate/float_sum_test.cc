// Sums that are merged from parts equal those of one thread, bit for bit.
#include "aggregate/float_sum.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace heron {
namespace {

// Sums rows 0, 1, .. in the documented order, with zeros for rows that are not selected.
double in_order_of_rows(const std::vector<double>& values) {
  double total = 0;
  for (size_t first = 0; first < values.size(); first += 4096) {
    const size_t last = std::min(values.size(), first + 4096);
    const size_t lanes_end = last - (last - first) % 16;
    double lanes[16] = {};
    for (size_t i = first; i < lanes_end; ++i) lanes[i % 16] += values[i];
    double block = 0;
    for (const double lane : lanes) block += lane;
    for (size_t i = lanes_end; i < last; ++i) block += values[i];
    total += block;
  }
  return total;
}

std::vector<double> some_values(size_t rows, double selected, unsigned seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution is_selected(selected);
  std::vector<double> values(rows);
  for (double& value : values) {
    const int exponent = static_cast<int>(random() % 60) - 30;
    const auto mantissa = static_cast<double>(static_cast<int64_t>(random()));
    if (is_selected(random)) value = std::ldexp(mantissa, exponent - 64);
  }
  return values;
}

// Adds the rows from first up to last, in pieces of up to a block.
FloatSum part_of(const std::vector<double>& values, size_t first, size_t last, size_t piece) {
  FloatSum sum(first, values.size());
  while (first < last) {
    const bool at_multiples = piece % 3 != 0;
    const size_t end = std::min(last, first + piece - (at_multiples ? first % piece : 0));
    if (piece == 1) {
      for (size_t i = first; i < end; ++i) sum.add(i, values[i]);
    } else {
      sum.add_cells<double>(first, reinterpret_cast<const std::byte*>(&values[first]), end - first);
    }
    first = end;
  }
  return sum;
}

TEST(FloatSum, OfPartsIsThatOfTheWhole) {
  std::mt19937_64 random(3);
  for (const size_t rows : {1, 15, 16, 4095, 4096, 4097, 12'288, 12'289, 50'011}) {
    for (const double selected : {1.0, 0.5, 0.01}) {
      const std::vector<double> values = some_values(rows, selected, static_cast<unsigned>(rows));
      const double expected = in_order_of_rows(values);
      for (const size_t longest : {size_t{3}, size_t{700}, size_t{4096}, size_t{9000}, rows}) {
        FloatSum sum(0, rows);
        for (size_t first = 0; first < rows;) {
          const size_t length = longest == rows ? rows : 1 + random() % longest;
          const size_t last = std::min(rows, first + length);
          const size_t piece = std::array{1, 8, 64, 1024, 1200, 4095, 4096}[random() % 7];
          sum.append(part_of(values, first, last, piece));
          first = last;
        }
        EXPECT_EQ(sum.total(), expected) << rows << " rows, parts of up to " << longest;
      }
    }
  }
}

TEST(FloatSum, OfPartsThatArePutTogetherByPairs) {
  const std::vector<double> values = some_values(20'000, 0.7, 1);
  FloatSum back = part_of(values, 5'000, 9'000, 4096);
  back.append(part_of(values, 9'000, 20'000, 1));
  FloatSum sum = part_of(values, 0, 5'000, 1024);
  sum.append(back);
  EXPECT_EQ(sum.total(), in_order_of_rows(values));
}

TEST(FloatSum, OfNothing) {
  EXPECT_EQ(FloatSum(0, 0).total(), 0);
  EXPECT_EQ(FloatSum(0, 10'000).total(), 0);
}

TEST(FloatSum, OfNaNsIsOneNaN) {
  using Limits = std::numeric_limits<double>;
  const double negative = std::copysign(Limits::quiet_NaN(), -1);
  const auto other = std::bit_cast<double>(std::bit_cast<uint64_t>(Limits::quiet_NaN()) + 1);
  const double infinity = Limits::infinity();
  for (const std::vector<double>& values :
       {std::vector{negative}, {other}, {1.0, negative, other}, {infinity, -infinity}}) {
    for (const size_t piece : {1, 64}) {
      const double sum = part_of(values, 0, values.size(), piece).total();
      EXPECT_EQ(std::bit_cast<uint64_t>(sum), std::bit_cast<uint64_t>(Limits::quiet_NaN()));
    }
  }
}

}  // namespace
}  // namespace heron
