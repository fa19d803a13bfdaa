#include "treezip/word_bits.h"

#include <gtest/gtest.h>

#include <random>

namespace heron::treezip {
namespace {

// Bits of random words, with the instruction and without it.
class WordBits : public testing::TestWithParam<bool> {
 protected:
  std::mt19937_64 random{3};
  const bool fast = GetParam() && has_x86_64_v3();
};

// Returns, side by side, the bits of the word at the positions for which `is_chosen` is true.
template <class IsChosen>
uint64_t side_by_side(uint64_t word, const IsChosen& is_chosen) {
  uint64_t bits = 0;
  for (unsigned at = 0, next = 0; at < 64; ++at) {
    if (is_chosen(at)) bits |= (word >> at & 1) << next++;
  }
  return bits;
}

TEST_P(WordBits, AreCounted) {
  for (int k = 0; k < 100; ++k) {
    const uint64_t word = random();
    unsigned expected = 0;
    for (unsigned at = 0; at < 64; ++at) expected += word >> at & 1;
    EXPECT_EQ(count_ones(word, fast), expected);
    EXPECT_EQ(count_ones(word), expected);
  }
}

TEST_P(WordBits, AreExtracted) {
  for (int k = 0; k < 100; ++k) {
    const uint64_t word = random(), mask = k == 0 ? 0 : random() | random();
    EXPECT_EQ(extract_bits(word, mask, fast),
              side_by_side(word, [&](unsigned at) { return (mask >> at & 1) != 0; }));
    for (unsigned j = 0; j < kWordFeatures; ++j) {
      for (const bool value : {false, true}) {
        EXPECT_EQ(half_of(word, j, value, fast),
                  side_by_side(word, [&](unsigned at) { return (at >> j & 1) == value; }));
      }
    }
  }
}

TEST_P(WordBits, AreSelected) {
  for (int k = 0; k < 100; ++k) {
    const uint64_t mask = random() & random();
    unsigned index = 0;
    for (unsigned at = 0; at < 64; ++at) {
      if ((mask >> at & 1) == 0) continue;
      EXPECT_EQ(select_bit(mask, index++, fast), at);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, WordBits, testing::Bool());

}  // namespace
}  // namespace heron::treezip
