#include "treezip/write/labels.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heron::treezip {
namespace {

bool label(const std::vector<uint64_t>& words, uint64_t at) {
  return (words[at / 64] >> at % 64 & 1) != 0;
}

// Returns `length` random labels in words, with zeros behind the last.
std::vector<uint64_t> random_labels(uint64_t length, std::mt19937_64& random) {
  std::vector<uint64_t> words(words_of(length));
  for (uint64_t& word : words) word = random() & random();
  if (length % 64 != 0) words.back() &= (uint64_t{1} << length % 64) - 1;
  return words;
}

// Returns every small length, and some that take all branches for runs of words.
std::vector<uint64_t> lengths(std::mt19937_64& random) {
  std::vector<uint64_t> all;
  for (uint64_t length = 1; length <= 300; ++length) all.push_back(length);
  for (uint64_t bits = 9; bits <= 13; ++bits) {
    all.insert(all.end(), {uint64_t{1} << bits, (uint64_t{1} << bits) + 1});
    for (int k = 0; k < 4; ++k) all.push_back(1 + random() % (uint64_t{2} << bits));
  }
  return all;
}

TEST(Labels, OnesAreCountedForEveryAddressBit) {
  std::mt19937_64 random(1);
  for (const uint64_t length : lengths(random)) {
    const auto words = random_labels(length, random);
    OnesWith ones;
    count_ones(words.data(), words.size(), ones);
    for (unsigned j = 0; j < differing_bits(length); ++j) {
      uint64_t expected = 0, addresses = 0;
      for (uint64_t at = 0; at < length; ++at) {
        if ((at >> j & 1) == 0) continue;
        ++addresses;
        if (label(words, at)) ++expected;
      }
      ASSERT_EQ(addresses_with(j, length), addresses) << length << " labels, bit " << j;
      ASSERT_EQ(ones[j], expected) << length << " labels, bit " << j;
    }
  }
}

TEST(Labels, HalvesAreInAddressOrder) {
  std::mt19937_64 random(2);
  for (const uint64_t length : lengths(random)) {
    const auto words = random_labels(length, random);
    for (unsigned j = 0; j < differing_bits(length); ++j) {
      for (const bool value : {false, true}) {
        std::vector<uint64_t> expected(words.size());
        uint64_t next = 0;
        for (uint64_t at = 0; at < length; ++at) {
          if ((at >> j & 1) != (value ? 1 : 0)) continue;
          if (label(words, at)) expected[next / 64] |= uint64_t{1} << next % 64;
          ++next;
        }
        auto half = words;  // in place
        take_half(half.data(), half.size(), j, value, half.data());
        half.resize(words_of(next));
        expected.resize(half.size());
        ASSERT_EQ(half, expected) << length << " labels, bit " << j << " is " << value;
      }
    }
  }
}

}  // namespace
}  // namespace heron::treezip
