// Logged values: every record is kept once, in memory, in the file, and in logs of others; counters
// that use a log count as a std::set does.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>

#include "aggregate/distinct/distinct_counter.h"
#include "heron/error.h"

namespace heron {
namespace {

// Returns a text of a random length; some texts are longer than a chunk, and many are repeated.
std::string random_text(std::mt19937_64& random) {
  constexpr uint64_t kLengths[] = {0, 1, 7, 8, 9, 24, 25, 100, 5000};
  const uint64_t length = kLengths[random() % std::size(kLengths)];
  const auto letter = static_cast<char>('a' + random() % 26);
  return std::string(length, letter) + std::to_string(random() % 50);
}

std::multiset<std::string> texts_of(const DistinctLog& log) {
  std::multiset<std::string> texts;
  uint64_t records = 0;
  for (uint64_t i = 0; i < DistinctLog::kPartitions; ++i) {
    records += log.records(i);
    log.for_each(i, [&](std::span<const std::byte> bytes) {
      while (!bytes.empty()) {
        uint64_t size;
        std::memcpy(&size, bytes.data(), sizeof size);
        texts.emplace(reinterpret_cast<const char*>(bytes.data()) + sizeof size, size);
        bytes = bytes.subspan(sizeof size + size);
      }
    });
  }
  EXPECT_EQ(records, texts.size());
  return texts;
}

TEST(DistinctLog, KeepsEveryRecord) {
  std::mt19937_64 random(1);
  std::multiset<std::string> expected;
  DistinctLog all(1000);
  for (int part = 0; part < 7; ++part) {
    DistinctLog one(1000);
    for (int i = 0; i < 3000; ++i) {
      const std::string text = random_text(random);
      TextRecords::add(text, i % 3 == 0 ? all : one);
      expected.insert(text);
    }
    if (part % 3 != 0) one.spill();
    all.append(one);
    if (part % 2 != 0) all.spill();
  }
  EXPECT_EQ(texts_of(all), expected);
  EXPECT_GT(all.used_bytes(), 0u);
  all.spill();
  EXPECT_EQ(all.used_bytes(), 0u);
  EXPECT_EQ(texts_of(all), expected);
}

TEST(DistinctLog, SharedMemoryIsNotWrittenAgain) {
  DistinctLog first(1000), second(1000);
  TextRecords::add("a", first);
  second.append(first);
  first.spill();
  for (int i = 0; i < 1000; ++i) TextRecords::add(std::to_string(i), first);
  TextRecords::add("a", second);
  EXPECT_EQ(texts_of(second), (std::multiset<std::string>{"a", "a"}));
}

TEST(DistinctLog, RecordsAreCountedOnce) {
  std::mt19937_64 random(2);
  std::map<uint64_t, std::set<std::string>> expected;
  DistinctLog log(1000);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = random_text(random);
    TextRecords::add(text, log);
    expected[hash_of(text) % DistinctLog::kPartitions].insert(text);
  }
  for (const auto& [partition, texts] : expected) {
    TextRecords records;
    log.for_each(partition, [&](std::span<const std::byte> some) { records.insert(some); });
    std::set<std::string> got;
    records.for_each([&](std::string_view text) { got.emplace(text); });
    EXPECT_EQ(records.size(), texts.size());
    EXPECT_EQ(got, texts);
  }
}

// Inserts values, all of which repeat the first `distinct` ones many times.
template <class Set, class ValueOf>
void expect_counts_repeats(uint64_t distinct, const DistinctLimits& limits, ValueOf value_of) {
  DistinctCounter<Set> counter(limits);
  for (uint64_t i = 0; i < distinct * 20; ++i) {
    counter.insert(value_of(i % distinct));
    ASSERT_LT(counter.bytes(), 3 * limits.spill_beyond);
  }
  EXPECT_EQ(counter.count(), distinct);
}

TEST(DistinctCounter, SpillsOnlyDistinctValuesThatDoNotFit) {
  const DistinctLimits limits{.spill_beyond = 4 << 20};
  const auto number = [](uint64_t i) { return i; };
  std::string kept;
  const auto text = [&](uint64_t i) {
    return std::string_view(kept = "the number " + std::to_string(i));
  };
  ::setenv("TMPDIR", "/no such folder", 1);
  for (const uint64_t distinct : {1'000, 50'000, 200'000}) {
    expect_counts_repeats<NumberSet>(distinct, limits, number);
  }
  for (const uint64_t distinct : {1'000, 30'000}) {
    expect_counts_repeats<TextSet>(distinct, limits, text);
  }
  EXPECT_THROW(expect_counts_repeats<NumberSet>(500'000, limits, number), Error);
  ::unsetenv("TMPDIR");
  expect_counts_repeats<NumberSet>(500'000, limits, number);
  expect_counts_repeats<TextSet>(150'000, limits, text);
}

}  // namespace
}  // namespace heron
