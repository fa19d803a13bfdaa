// Sets of distinct values: against std::set, where they go over to a sketch, and in parts.
#include "aggregate/distinct/distinct_counter.h"

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
}

TEST(DistinctSet, NaNsAreOneAndSoAreZeros) {
  EXPECT_EQ(distinct_bits(std::nan("1")), distinct_bits(-std::nanf("2")));
  EXPECT_EQ(distinct_bits(0.0), distinct_bits(-0.0));
  EXPECT_EQ(distinct_bits(0.0F), distinct_bits(-0.0F));
  EXPECT_EQ(distinct_bits(0.5f), distinct_bits(0.5));
  EXPECT_EQ(distinct_bits(int8_t{-1}), distinct_bits(int64_t{-1}));
}

std::string text_of(uint64_t number) {
  return "the number " + std::to_string(number);
}

// Returns a counter of [0, count), merged from the last to the first of parts that overlap.
template <class Set, class ValueOf>
DistinctCounter<Set> merged_counter(uint64_t count, const DistinctLimits& limits,
                                    ValueOf value_of) {
  DistinctCounter<Set> all(limits);
  for (uint64_t part = 4; part-- > 0;) {
    DistinctCounter<Set> some(limits);
    const uint64_t last = std::min(count, (part + 2) * count / 4);
    for (uint64_t i = part * count / 4; i < last; ++i) some.insert(value_of(i));
    all.merge(some);
  }
  return all;
}

template <class Set, class ValueOf>
void expect_parts_are_the_whole(uint64_t count, const DistinctLimits& limits, bool exact,
                                ValueOf value_of) {
  SCOPED_TRACE(std::to_string(count) + " values");
  DistinctCounter<Set> whole(limits);
  for (int again = 0; again < 2; ++again) {
    for (uint64_t i = 0; i < count; ++i) whole.insert(value_of(i));
  }
  const auto merged = merged_counter<Set>(count, limits, value_of);
  EXPECT_EQ(merged.is_exact(), exact);
  EXPECT_EQ(whole.is_exact(), exact);
  EXPECT_EQ(merged.count(), whole.count());
  const auto expected = static_cast<double>(count);
  EXPECT_NEAR(static_cast<double>(whole.count()), expected, exact ? 0 : expected * 0.03);
}

// A set takes 16 bytes a number, and 0 for none.
TEST(DistinctSet, WhatIsExactAndPartsMerged) {
  const auto number = [](uint64_t i) { return i; };
  for (const uint64_t count : {0, 1, 5000, 10'001}) {
    expect_parts_are_the_whole<NumberSet>(count, {.estimate_beyond = 160'000}, true, number);
  }
  for (const uint64_t count : {10'002, 100'000}) {
    expect_parts_are_the_whole<NumberSet>(count, {.estimate_beyond = 160'000}, false, number);
  }
  std::string kept;
  const auto text = [&](uint64_t i) { return std::string_view(kept = text_of(i)); };
  expect_parts_are_the_whole<TextSet>(3000, {.estimate_beyond = 200'000}, true, text);
  expect_parts_are_the_whole<TextSet>(30'000, {.estimate_beyond = 200'000}, false, text);
  expect_parts_are_the_whole<TextSet>(400'000, {}, true, text);
}

TEST(DistinctSet, WhatIsSpilledIsCountedOnce) {
  const DistinctLimits spilling{.spill_beyond = 100'000};
  for (const uint64_t count : {0, 100, 6'000, 7'000, 200'000}) {
    expect_parts_are_the_whole<NumberSet>(count, spilling, true, [](uint64_t i) { return i; });
    std::string kept;
    expect_parts_are_the_whole<TextSet>(
        count, spilling, true, [&](uint64_t i) { return std::string_view(kept = text_of(i)); });
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
}

}  // namespace
}  // namespace heron
