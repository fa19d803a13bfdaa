// The radix sort against std::sort: any shape of keys, in any parts, on one thread and on several.
#include "sort/radix_sort.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>
#include <tuple>

#include "kit/on_threads.h"

namespace heron {
namespace {

struct Entry {
  uint64_t prefix, rest;
  bool operator==(const Entry&) const = default;
};
struct IsBefore {
  bool operator()(const Entry& a, const Entry& b) const noexcept {
    return std::tie(a.prefix, a.rest) < std::tie(b.prefix, b.rest);
  }
};
using Entries = ZeroedArray<Entry>;

// Sorts entries that are cut into parts at random.
void expect_sorted(std::vector<Entry> entries, std::mt19937_64& random) {
  for (const unsigned threads : {1U, 3U}) {
    std::vector<Entries> parts;
    for (uint64_t first = 0; first < entries.size();) {
      const uint64_t count = std::min<uint64_t>(entries.size() - first, random() % 100'000);
      parts.emplace_back().append(entries.data() + first, count);
      first += count;
    }
    const Context context = on_threads(threads);
    const Entries sorted = RadixSort<Entry, IsBefore>({}, context)(std::move(parts));
    std::vector<Entry> expected = entries;
    std::ranges::sort(expected, IsBefore());
    EXPECT_TRUE(std::ranges::equal(sorted, expected)) << entries.size() << " on " << threads;
  }
}

TEST(RadixSort, AnyKeysInAnyParts) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const std::vector<std::function<uint64_t(uint64_t)>> keys = {
      [&](uint64_t) { return random(); },
      [&](uint64_t) { return random() % 7; },
      [&](uint64_t) { return std::bit_cast<uint64_t>(normal(random)); },
      [&](uint64_t) { return random() % 50 == 0 ? random() : 5; },  // most are equal
      [&](uint64_t) { return random() >> random() % 64; },
      [&](uint64_t) { return uint64_t{9}; },
      [](uint64_t i) { return i; },
      [](uint64_t i) { return UINT64_MAX - i; },
      [](uint64_t i) { return i == 50'000 ? 0 : i; },  // out of order at one index only
  };
  for (const auto& key : keys) {
    for (const uint64_t size : {0, 1, 2, 64, 65, 3000, 100'000}) {
      std::vector<Entry> entries;
      for (uint64_t i = 0; i < size; ++i) entries.push_back({key(i), random() % 4});
      expect_sorted(entries, random);
    }
  }
}

TEST(RadixSort, PartsInOrderButNotOfEachOther) {
  std::vector<Entries> parts(2);
  for (const uint64_t key : {5, 6}) parts[0].push_back({key, 0});
  for (const uint64_t key : {1, 2}) parts[1].push_back({key, 0});
  const Entries sorted = RadixSort<Entry, IsBefore>({}, Context())(std::move(parts));
  const std::vector<Entry> expected = {{1, 0}, {2, 0}, {5, 0}, {6, 0}};
  EXPECT_TRUE(std::ranges::equal(sorted, expected));
}

}  // namespace
}  // namespace heron
