// Draws in proportion to weights: shares, shards, refusals. tests/python/plain_sampler.py has the
// algorithm once more, for rows one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "error_of.h"
#include "heron/sampler.h"

namespace heron {
namespace {

using testing::Each;
using testing::HasSubstr;

std::vector<uint64_t> drawn(const WeightedSampler& sampler, uint64_t count,
                            const SamplerOptions& options = {}, uint64_t position = 0) {
  std::vector<uint64_t> rows(count);
  sampler.draw(options, position, rows);
  return rows;
}

TEST(WeightedSampler, DrawsRowsInProportion) {
  const std::vector<double> weights = {3, 0, 1, 0.5, 0, 10, 1e-12, 5.5};
  const WeightedSampler sampler(weights);
  constexpr uint64_t kDraws = 200'000;
  std::vector<double> counts(weights.size());
  for (const uint64_t row : drawn(sampler, kDraws, {.seed = 4})) ++counts[row];
  double chi = 0;
  for (uint64_t i = 0; i < weights.size(); ++i) {
    const double expected = weights[i] / 20 * kDraws;
    if (weights[i] == 0) {
      EXPECT_EQ(counts[i], 0) << i;
    }
    if (expected > 1) chi += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  EXPECT_LT(chi, 18.5);  // 99.9 % with 4 degrees of freedom
}

TEST(WeightedSampler, NeverDrawsARowWithoutWeight) {
  for (const uint64_t rows : {3, 10, 1000}) {
    std::vector<double> weights(rows, 0.1);
    for (uint64_t i = 0; i < rows; i += 3) weights[i] = 0;
    const WeightedSampler sampler(weights);
    for (const uint64_t row : drawn(sampler, 100'000)) ASSERT_NE(row % 3, 0);
  }
  EXPECT_THAT(drawn(WeightedSampler(std::vector<double>{0, 0, 7, 0}), 1000), Each(2));
}

TEST(WeightedSampler, HasShardsAndPositions) {
  const WeightedSampler sampler(std::vector<double>{1, 2, 3, 4, 5});
  const auto whole = drawn(sampler, 300, {.seed = 8, .epoch = 2});
  EXPECT_NE(whole, drawn(sampler, 300, {.seed = 8, .epoch = 3}));
  for (uint64_t rank = 0; rank < 3; ++rank) {
    const auto share =
        drawn(sampler, 90, {.seed = 8, .epoch = 2, .rank = rank, .world_size = 3}, 10);
    for (uint64_t i = 0; i < share.size(); ++i) EXPECT_EQ(share[i], whole[3 * (i + 10) + rank]);
  }
}

TEST(WeightedSampler, RefusesWhatAreNoWeights) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& weights :
       {std::vector<double>{}, {0, 0}, {1, -1}, {1, NAN}, {1, infinite}, {1e308, 1e308}}) {
    const auto make = [&] { WeightedSampler{weights}; };
    EXPECT_THAT(test::error_of(make).what(), HasSubstr("weights: expected"));
  }
}

}  // namespace
}  // namespace heron
