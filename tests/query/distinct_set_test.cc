// Sets of distinct values: against std::set, at their limits, and in parts.
#include "query/distinct_set.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <set>
#include <string>

namespace heron {
namespace {

TEST(DistinctSet, NumbersAreCountedOnce) {
  std::mt19937_64 random(1);
  NumberSet numbers;
  std::set<uint64_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t bits = random() % 7'000;
    numbers.insert(bits);
    expected.insert(bits);
  }
  EXPECT_EQ(numbers.size(), expected.size());
  EXPECT_TRUE(numbers.is_exact());
}

TEST(DistinctSet, NaNsAreOneAndZerosAreTwo) {
  EXPECT_EQ(distinct_bits(std::nan("1")), distinct_bits(-std::nanf("2")));
  EXPECT_NE(distinct_bits(0.0), distinct_bits(-0.0));
  EXPECT_EQ(distinct_bits(0.5f), distinct_bits(0.5));
  EXPECT_EQ(distinct_bits(int8_t{-1}), distinct_bits(int64_t{-1}));
}

TEST(DistinctSet, PastTheLimitItIsNotExact) {
  NumberSet numbers;
  for (uint64_t i = 0; i < kDistinctLimit; ++i) numbers.insert(i);
  EXPECT_TRUE(numbers.is_exact());
  EXPECT_EQ(numbers.size(), kDistinctLimit);
  numbers.insert(kDistinctLimit);
  EXPECT_FALSE(numbers.is_exact());
  EXPECT_EQ(numbers.size(), kDistinctLimit);
}

TEST(DistinctSet, PartsMergedAreTheWholeOfNumbers) {
  for (const uint64_t limit : {uint64_t{5'000}, kDistinctLimit + 10}) {
    NumberSet whole, merged;
    for (uint64_t part = 0; part < 4; ++part) {
      NumberSet some;
      for (uint64_t i = 0; i < limit / 2; ++i) {
        const uint64_t number = part * limit / 4 + i;
        some.insert(number);
        whole.insert(number);
      }
      merged.merge(some);
    }
    EXPECT_EQ(merged.size(), whole.size()) << limit;
    EXPECT_EQ(merged.is_exact(), whole.is_exact()) << limit;
  }
}

// Long texts, so that their bytes are what ends them.
TEST(DistinctSet, PartsMergedAreTheWholeOfTexts) {
  for (const uint64_t length : {uint64_t{4}, uint64_t{1} << 20}) {
    TextSet whole, merged;
    std::set<std::string> expected;
    for (int part = 0; part < 3; ++part) {
      TextSet some;
      for (int i = 0; i < 40; ++i) {
        std::string text = std::to_string(part * 30 + i % 35);
        text.resize(length, 'x');
        some.insert(text);
        whole.insert(text);
        expected.insert(text);
      }
      merged.merge(some);
    }
    EXPECT_EQ(merged.size(), whole.size()) << length;
    EXPECT_EQ(merged.is_exact(), whole.is_exact()) << length;
    EXPECT_EQ(whole.is_exact(), length == 4);
    EXPECT_EQ(whole.size() == expected.size(), length == 4) << length;
  }
}

TEST(DistinctSet, ManyTextsAndAnEmptyOne) {
  TextSet texts;
  EXPECT_EQ(texts.size(), 0u);
  for (int again = 0; again < 2; ++again) {
    texts.insert("");
    for (int i = 0; i < 10'000; ++i) texts.insert(std::to_string(i));
  }
  EXPECT_EQ(texts.size(), 10'001u);
  EXPECT_TRUE(texts.is_exact());
}

}  // namespace
}  // namespace heron
