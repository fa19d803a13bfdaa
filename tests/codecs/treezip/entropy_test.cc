// The last bit of a score decides between splits, so it is tested here.
#include "treezip/write/entropy.h"

#include <gtest/gtest.h>

namespace heron::treezip {
namespace {

TEST(Entropy, OfNothingAndOfHalf) {
  EXPECT_EQ(entropy(0, 7), 0);
  EXPECT_EQ(entropy(7, 7), 0);
  EXPECT_EQ(entropy(1, 2), 1);
  EXPECT_EQ(entropy(uint64_t{1} << 40, uint64_t{1} << 42), entropy(1, 4));
}

// The values are those of Python with the same steps. The complement of p is 1 - p, not a
// second count: the results of 1 of 7 and 6 of 7 differ.
TEST(Entropy, IsExact) {
  EXPECT_EQ(entropy(1, 7), 0x1.2eefbc03e39b6p-1);
  EXPECT_EQ(entropy(6, 7), 0x1.2eefbc03e39b8p-1);
  EXPECT_EQ(entropy(3, 7), 0x1.f86fd27ebb77fp-1);
  EXPECT_EQ(entropy(12345, 99999), 0x1.14121af73528dp-1);
}

TEST(Entropy, CacheSaysTheSame) {
  EntropyCache cache;
  for (unsigned round = 0; round < 2; ++round) {
    for (uint64_t all = 1; all < 300; ++all) {
      for (uint64_t ones = 0; ones <= all; ++ones) {
        ASSERT_EQ(cache(ones, all), entropy(ones, all)) << ones << " of " << all;
        ASSERT_EQ(cache(ones << 30, all << 30), entropy(ones, all)) << ones << " of " << all;
      }
    }
  }
  for (uint64_t ones = 0; ones <= EntropyCache::kSmall; ++ones) {
    EXPECT_EQ(cache.row(EntropyCache::kSmall)[ones], entropy(ones, EntropyCache::kSmall));
  }
}

TEST(Entropy, ScoresGoByEntropyThenLargerPartThenFeature) {
  const Score score{0.5, 10, 3};
  EXPECT_LT(score, Score{});
  EXPECT_LT(score, (Score{0.75, 9, 2}));
  EXPECT_LT(score, (Score{0.5, 11, 2}));
  EXPECT_LT(score, (Score{0.5, 10, 4}));
  EXPECT_FALSE(score < score);
}

}  // namespace
}  // namespace heron::treezip
