// The randomness of Sampler. Every statistic is turned into a z: about normal (0, 1) if orders were
// drawn fairly, and above 4.5 once in 150,000 tests. All is deterministic. The last test
// removes rounds and sees the same statistics fail: figures as in engine/sample/SAMPLING.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "heron/sampler.h"
#include "sample/sampler_reference.h"

namespace {

using Rows = std::vector<uint64_t>;
// Returns the rows at the first `count` positions.
using Draw = std::function<Rows(uint64_t rows, uint64_t seed, uint64_t epoch, uint64_t count)>;

Rows sampled(uint64_t rows, uint64_t seed, uint64_t epoch, uint64_t count) {
  Rows out(count);
  heron::Sampler(rows, {.seed = seed, .epoch = epoch}).draw(0, out);
  return out;
}

Rows with_replacement(uint64_t rows, uint64_t seed, uint64_t epoch, uint64_t count) {
  Rows out(count);
  heron::Sampler(rows, {.seed = seed, .epoch = epoch, .replace = true}).draw(0, out);
  return out;
}

Draw with_rounds(uint64_t rounds) {
  return [rounds](uint64_t rows, uint64_t seed, uint64_t epoch, uint64_t count) {
    const auto keys = reference::keys(seed, epoch, rounds);
    const uint64_t side = reference::side(rows);
    Rows out(count);
    for (uint64_t i = 0; i < count; ++i) {
      out[i] = reference::row(i, rows, side, keys);
    }
    return out;
  };
}

// Wilson and Hilferty: the cube root of chi-squared over its degrees of freedom is nearly normal.
double z_of_chi_squared(double chi_squared, double freedom) {
  return (std::cbrt(chi_squared / freedom) - 1 + 2 / (9 * freedom)) / std::sqrt(2 / (9 * freedom));
}

double chi_squared(const std::vector<double>& counts, double expected) {
  double sum = 0;
  for (double count : counts) {
    sum += (count - expected) * (count - expected) / expected;
  }
  return sum;
}

size_t bin(uint64_t row, uint64_t rows, size_t bins) {
  return static_cast<size_t>(reference::Wide{row} * bins / rows);
}

// Tests that all rows! orders are equally frequent.
double z_orders(const Draw& draw, uint64_t rows, uint64_t seeds) {
  std::map<Rows, double> seen;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ++seen[draw(rows, seed, 0, rows)];
  }
  const double orders = std::tgamma(static_cast<double>(rows) + 1);
  std::vector<double> counts(static_cast<size_t>(orders));
  size_t next = 0;
  for (const auto& [order, count] : seen) {
    counts[next++] = count;
  }
  return z_of_chi_squared(chi_squared(counts, static_cast<double>(seeds) / orders), orders - 1);
}

// Tests that every row is equally frequent at every position.
double z_positions(const Draw& draw, uint64_t rows, uint64_t seeds) {
  std::vector<double> counts(rows * rows);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const Rows order = draw(rows, seed, 0, rows);
    for (uint64_t i = 0; i < rows; ++i) {
      ++counts[i * rows + order[i]];
    }
  }
  const auto n = static_cast<double>(rows);
  const double statistic = chi_squared(counts, static_cast<double>(seeds) / n) * (n - 1) / n;
  return z_of_chi_squared(statistic, (n - 1) * (n - 1));
}

// Tests that all pairs of different rows are equally frequent at positions 0 and `other`.
double z_pairs(const Draw& draw, uint64_t rows, uint64_t other, uint64_t seeds) {
  std::vector<double> counts(rows * (rows - 1));
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const Rows order = draw(rows, seed, 0, other + 1);
    ++counts[order[0] * (rows - 1) + order[other] - (order[other] > order[0] ? 1 : 0)];
  }
  const auto pairs = static_cast<double>(counts.size());
  return z_of_chi_squared(chi_squared(counts, static_cast<double>(seeds) / pairs), pairs - 1);
}

// Tests that half of all orders are even.
double z_parity(const Draw& draw, uint64_t rows, uint64_t seeds) {
  double even = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Rows order = draw(rows, seed, 0, rows);
    bool odd = false;
    for (uint64_t i = 0; i < rows; ++i) {
      for (; order[i] != i; odd = !odd) {
        std::swap(order[i], order[order[i]]);
      }
    }
    even += odd ? 0 : 1;
  }
  const auto n = static_cast<double>(seeds);
  return (even - n / 2) / std::sqrt(n / 4);
}

// Tests that rows `lag` positions apart are not correlated.
double z_serial(const Draw& draw, uint64_t rows, uint64_t lag) {
  const Rows order = draw(rows, 3, 0, rows);
  const double mean = (static_cast<double>(rows) - 1) / 2;
  double product = 0, square = 0;
  for (uint64_t i = 0; i < rows; ++i) {
    const double here = static_cast<double>(order[i]) - mean;
    product += here * (static_cast<double>(order[(i + lag) % rows]) - mean);
    square += here * here;
  }
  return product / square * std::sqrt(static_cast<double>(rows));
}

// Tests that differences modulo `rows` between rows `lag` positions apart are uniform over 1,000
// bins.
double z_differences(const Draw& draw, uint64_t rows, uint64_t lag) {
  const Rows order = draw(rows, 1, 0, rows);
  std::vector<double> counts(1000);
  for (uint64_t i = lag; i < rows; ++i) {
    ++counts[bin((order[i] + rows - order[i - lag]) % rows, rows, counts.size())];
  }
  const double expected = static_cast<double>(rows - lag) / static_cast<double>(counts.size());
  return z_of_chi_squared(chi_squared(counts, expected), static_cast<double>(counts.size()) - 1);
}

// Tests that two orders of 1,000 rows agree in Poisson(1) positions: a chi-squared over 0, 1, ...
// 5, more.
double z_overlap(const Draw& draw, bool of_epochs, uint64_t pairs) {
  std::vector<double> counts(7);
  for (uint64_t i = 0; i < pairs; ++i) {
    const Rows one = draw(1000, of_epochs ? 7 : i, of_epochs ? i : 7, 1000);
    const Rows two = draw(1000, of_epochs ? 7 : i + 1, of_epochs ? i + 1 : 7, 1000);
    size_t same = 0;
    for (size_t j = 0; j < one.size(); ++j) {
      same += one[j] == two[j] ? 1 : 0;
    }
    ++counts[std::min<size_t>(same, 6)];
  }
  double statistic = 0, left = 1, chance = std::exp(-1.0);
  for (size_t k = 0; k < counts.size(); ++k) {
    const double expected = static_cast<double>(pairs) * (k < 6 ? chance : left);
    statistic += (counts[k] - expected) * (counts[k] - expected) / expected;
    left -= chance;
    chance /= static_cast<double>(k + 1);
  }
  return z_of_chi_squared(statistic, static_cast<double>(counts.size()) - 1);
}

// Tests that over seeds 0, 1, 2 ... the row at position 0 is uniform over 500 bins.
double z_first(const Draw& draw, uint64_t rows, uint64_t seeds) {
  std::vector<double> counts(500);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ++counts[bin(draw(rows, seed, 0, 1)[0], rows, counts.size())];
  }
  const double expected = static_cast<double>(seeds) / static_cast<double>(counts.size());
  return z_of_chi_squared(chi_squared(counts, expected), static_cast<double>(counts.size()) - 1);
}

// Tests that a sample of 1 % has its share of each of 100 strata (hypergeometric), summed over
// seeds.
double z_strata(const Draw& draw, uint64_t rows, uint64_t seeds) {
  double statistic = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    std::vector<double> counts(100);
    for (uint64_t row : draw(rows, seed, 0, rows / 100)) {
      ++counts[bin(row, rows, counts.size())];
    }
    statistic += chi_squared(counts, static_cast<double>(rows) / 10000);
  }
  return z_of_chi_squared(statistic / 0.99, 99.0 * static_cast<double>(seeds));
}

void expect_fair(const char* what, double z) {
  std::printf("%-44s z = %5.2f\n", what, z);
  EXPECT_LT(std::abs(z), 4.5) << what;
}

TEST(SamplerQuality, SmallTables) {
  expect_fair("all orders of 3 rows, 100,000 seeds", z_orders(sampled, 3, 100000));
  expect_fair("all orders of 4 rows, 100,000 seeds", z_orders(sampled, 4, 100000));
  expect_fair("all orders of 5 rows, 100,000 seeds", z_orders(sampled, 5, 100000));
  for (uint64_t rows : {2, 8, 9, 16, 33, 64, 100}) {
    const std::string what = "row by position, " + std::to_string(rows) + " rows, 10,000 seeds";
    expect_fair(what.c_str(), z_positions(sampled, rows, 10000));
  }
  expect_fair("pairs, 20 rows, positions 0 and 1", z_pairs(sampled, 20, 1, 100000));
  expect_fair("pairs, 100 rows, positions 0 and 16", z_pairs(sampled, 100, 16, 300000));
  expect_fair("pairs, 400 rows, positions 0 and 20", z_pairs(sampled, 400, 20, 800000));
  expect_fair("parity of 256 rows = 16 * 16", z_parity(sampled, 256, 10000));
  expect_fair("parity of 289 rows = 17 * 17", z_parity(sampled, 289, 10000));
}

TEST(SamplerQuality, LargeTables) {
  for (uint64_t lag : {1, 2, 1000}) {
    const std::string suffix = ", 1,000,000 rows, lag " + std::to_string(lag);
    expect_fair(("serial correlation" + suffix).c_str(), z_serial(sampled, 1000000, lag));
    expect_fair(("differences" + suffix).c_str(), z_differences(sampled, 1000000, lag));
  }
  expect_fair("first row, 5,000,000 rows, seeds 0 ...", z_first(sampled, 5000000, 200000));
  expect_fair("first row, 2^64 - 1 rows, seeds 0 ...", z_first(sampled, UINT64_MAX, 200000));
  expect_fair("strata of 1 %, 10,000 rows, 1,000 seeds", z_strata(sampled, 10000, 1000));
  expect_fair("strata of 1 %, 1,000,000 rows, 100 seeds", z_strata(sampled, 1000000, 100));
}

TEST(SamplerQuality, SeedsAndEpochsAreUnrelated) {
  expect_fair("coincidences of seeds s, s + 1", z_overlap(sampled, false, 10000));
  expect_fair("coincidences of epochs e, e + 1", z_overlap(sampled, true, 10000));
  expect_fair("the same with replacement, seeds", z_overlap(with_replacement, false, 10000));
  expect_fair("the same with replacement, epochs", z_overlap(with_replacement, true, 10000));
}

TEST(SamplerQuality, WithReplacement) {
  expect_fair("replaced: first row, 5,000,000 rows", z_first(with_replacement, 5000000, 200000));
  for (uint64_t rows : {uint64_t{3}, uint64_t{1000}, uint64_t{3} << 62, UINT64_MAX}) {
    const Rows drawn = with_replacement(rows, 1, 0, 1000000);
    const size_t bins = std::min<uint64_t>(rows, 1000);
    std::vector<double> counts(bins);
    for (uint64_t row : drawn) {
      ++counts[bin(row, rows, bins)];
    }
    const auto freedom = static_cast<double>(bins) - 1;
    const std::string what = "replaced: uniform over " + std::to_string(rows) + " rows";
    expect_fair(what.c_str(),
                z_of_chi_squared(chi_squared(counts, 1e6 / static_cast<double>(bins)), freedom));
  }
  std::vector<double> residues(3);  // without rejection, 0 would be twice as frequent as 1 and 2
  for (uint64_t row : with_replacement(uint64_t{3} << 62, 2, 0, 300000)) {
    ++residues[row % 3];
  }
  expect_fair("replaced: 3 * 2^62 rows modulo 3", z_of_chi_squared(chi_squared(residues, 1e5), 2));
  expect_fair("replaced: serial correlation, lag 1", z_serial(with_replacement, 1000000, 1));
}

// Shares of one world are different positions; their draws coincide only by chance.
TEST(SamplerQuality, SharesWithReplacementDoNotOverlap) {
  constexpr uint64_t kRows = uint64_t{1} << 40;
  Rows all;
  for (uint64_t rank = 0; rank < 8; ++rank) {
    Rows rows(10000);
    heron::Sampler(kRows, {.seed = 4, .replace = true, .rank = rank, .world_size = 8})
        .draw(0, rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  std::sort(all.begin(), all.end());  // chance: 0.003 equal pairs
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

TEST(SamplerQuality, FewerRoundsFail) {
  std::printf("rounds  pairs 256  pairs 400  differences 1  serial 1000  strata\n");
  for (uint64_t rounds = 2; rounds <= 8; ++rounds) {
    const Draw draw = with_rounds(rounds);
    const double worst[] = {z_pairs(draw, 256, 16, 200000), z_pairs(draw, 400, 20, 300000),
                            z_differences(draw, 1000000, 1), z_serial(draw, 1000000, 1000),
                            z_strata(draw, 1000000, 20)};
    std::printf("%6d  %9.1f  %9.1f  %13.1f  %11.1f  %6.1f\n", static_cast<int>(rounds), worst[0],
                worst[1], worst[2], worst[3], worst[4]);
    const bool fair =
        std::all_of(std::begin(worst), std::end(worst), [](double z) { return std::abs(z) < 4.5; });
    EXPECT_EQ(fair, rounds >= 5) << rounds << " rounds";
  }
}

}  // namespace
