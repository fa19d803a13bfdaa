#include "columns/row_bits.h"

#include <gtest/gtest.h>

#include <random>

namespace heron {
namespace {

using Bits = std::vector<uint64_t>;

bool bit(const Bits& bits, uint64_t i) {
  return (bits[i / 64] >> i % 64 & 1) != 0;
}

// Returns random bits; the rest of the last word is 0.
Bits some_bits(uint64_t count, std::mt19937_64& random) {
  Bits bits;
  set_first_bits(bits, count);
  for (uint64_t& word : bits) word &= random();
  return bits;
}

TEST(RowBits, FirstBitsAreCounted) {
  for (const uint64_t count : {0, 1, 63, 64, 65, 300}) {
    Bits bits{7, 7, 7};
    set_first_bits(bits, count);
    EXPECT_EQ(bits.size(), bit_words(count));
    EXPECT_EQ(count_bits(bits), count);
  }
}

TEST(RowBits, RangesAreWhatTheirBitsAre) {
  std::mt19937_64 random(1);
  constexpr uint64_t kCount = 200;
  for (uint64_t first = 0; first <= kCount; first += 13) {
    for (uint64_t last = first; last <= kCount; last += 7) {
      const Bits bits = some_bits(kCount, random);
      uint64_t inside = 0;
      for (uint64_t i = first; i < last; ++i) inside += bit(bits, i);
      EXPECT_EQ(any_bits(bits, first, last), inside != 0);
      Bits cleared = bits;
      clear_bits(cleared, first, last);
      EXPECT_EQ(count_bits(cleared), count_bits(bits) - inside);
      EXPECT_FALSE(any_bits(cleared, first, last));
    }
  }
}

TEST(RowBits, WhatIsTakenOutComesBack) {
  std::mt19937_64 random(2);
  constexpr uint64_t kCount = 333;
  for (uint64_t first = 0; first < kCount; first += 11) {
    for (uint64_t last = first + 1; last <= kCount; last += 17) {
      const Bits bits = some_bits(kCount, random);
      Bits piece;
      extract_bits(bits, first, last, piece);
      ASSERT_EQ(piece.size(), bit_words(last - first));
      for (uint64_t i = first; i < last; ++i) ASSERT_EQ(bit(piece, i - first), bit(bits, i));
      if (last - first != 64 * piece.size()) {
        EXPECT_EQ(piece.back() >> (last - first) % 64, 0u);
      }
      Bits other = some_bits(kCount, random);
      const Bits before = other;
      replace_bits(other, first, last, piece);
      for (uint64_t i = 0; i < kCount; ++i) {
        const bool inside = first <= i && i < last;
        ASSERT_EQ(bit(other, i), bit(inside ? bits : before, i))
            << first << ' ' << last << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace heron
