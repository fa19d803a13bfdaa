// Indexes of keys against std::map: texts of lengths around those that a slot holds, and numbers.
#include "aggregate/keys/text_index.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace heron {
namespace {

using Texts = std::vector<std::optional<std::string>>;

// Returns texts of up to 40 bytes that mostly share their first or last bytes; some are null.
Texts similar_texts(uint64_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  Texts texts(count);
  for (auto& text : texts) {
    if (random() % 50 == 0) continue;
    text = std::string(random() % 41, 'a');
    for (int changed = 0; changed < 3 && !text->empty(); ++changed) {
      (*text)[random() % text->size()] = static_cast<char>(random() % 4);
    }
  }
  return texts;
}

// Returns the numbers that the index gives to the texts, one after the other.
std::vector<uint32_t> expected_numbers(const Texts& texts) {
  std::map<std::optional<std::string>, uint32_t> known;
  std::vector<uint32_t> numbers;
  for (const auto& text : texts) {
    numbers.push_back(known.emplace(text, static_cast<uint32_t>(known.size())).first->second);
  }
  return numbers;
}

void expect_numbers(BytesIndex& index, const Texts& texts, const std::vector<uint32_t>& expected) {
  std::vector<uint32_t> numbers(texts.size());
  index.find_or_add_all(
      texts.size(),
      [&](uint64_t i) { return texts[i] ? std::string_view(*texts[i]) : std::string_view(); },
      [&](uint64_t i) { return !texts[i]; }, numbers.data());
  EXPECT_EQ(numbers, expected);
}

TEST(GroupIndex, NumbersTextsInTheOrderOfTheirFirstRows) {
  const Texts texts = similar_texts(60'000, 1);
  const std::vector<uint32_t> expected = expected_numbers(texts);
  BytesIndex index(true);
  expect_numbers(index, texts, expected);
  ASSERT_GT(index.size(), 20'000U);  // slots were fetched ahead
  expect_numbers(index, texts, expected);
  for (uint64_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]) continue;
    ASSERT_EQ(index.key_of(expected[i]), *texts[i]);
    ASSERT_EQ(index.find_or_add(*texts[i]), expected[i]);
  }
}

// Texts whose numbers come from WordCodes, then more that differ in too many bits, some of which
// turn them off.
TEST(GroupIndex, NumbersTextsThatDifferInFewBits) {
  std::mt19937_64 random(3);
  for (const uint64_t others_in_100 : {0, 3, 60}) {
    for (const size_t length : {1, 4, 7, 8}) {
      Texts texts;
      for (int i = 0; i < 30'000; ++i) {
        std::string text = "id000000" + std::string(8, 'x');
        text.resize(length);
        for (size_t digit = length > 3 ? length - 3 : 0; digit < length; ++digit) {
          text[digit] = static_cast<char>('0' + random() % 10);
        }
        if (random() % 100 < others_in_100) {
          for (char& byte : text) byte = static_cast<char>(random());
          text.resize(random() % (length + 1));
        }
        random() % 100 < others_in_100 / 2 ? texts.push_back(std::nullopt) : texts.push_back(text);
      }
      BytesIndex index(false);
      expect_numbers(index, texts, expected_numbers(texts));
      expect_numbers(index, texts, expected_numbers(texts));
    }
  }
}

TEST(WordCodes, FindsWhatItRemembers) {
  WordCodes codes;
  if (!codes.are_useful()) GTEST_SKIP() << "this processor gathers bits slowly";
  const auto find = [&](uint64_t word) -> std::optional<uint32_t> {
    uint32_t number = 0;
    return codes.find({&word, 1}, &number) == 0 ? std::optional(number) : std::nullopt;
  };
  EXPECT_EQ(find(5), std::nullopt);
  std::vector<uint64_t> words;
  for (uint64_t bits = 0; bits < 4096; ++bits) {  // twelve bits that are apart
    uint64_t word = 0xA000'0000'0000'0001u;
    for (unsigned bit = 0; bit < 12; ++bit) word ^= (bits >> bit & 1) << (bit * 5 + 3);
    words.push_back(word);
  }
  std::shuffle(words.begin(), words.end(), std::mt19937_64(4));
  for (uint32_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(find(words[i]), std::nullopt);
    codes.add(words[i], i);
    EXPECT_EQ(find(words[i]), i);
  }
  codes.add(words[0] ^ 1, 9999);  // a thirteenth bit
  EXPECT_EQ(find(words[0] ^ 1), std::nullopt);
  for (uint32_t i = 0; i < words.size(); ++i) EXPECT_EQ(find(words[i]), i);
  for (int i = 0; i < 40'000; ++i) find(7);
  EXPECT_FALSE(codes.are_useful());
}

TEST(GroupIndex, TellsTextsOfEveryLengthApart) {
  for (size_t length = 0; length <= 40; ++length) {
    Texts texts = {std::string(length, 'x'), std::string(length + 1, 'x'), std::nullopt};
    for (size_t i = 0; i < length; ++i) {
      for (size_t k = i; k < length; ++k) {
        std::string other(length, 'x');
        other[i] = other[k] = '\0';
        texts.emplace_back(other);
      }
    }
    for (char last = 1; last != 16 && length != 0; ++last) {  // as a tag has sizes and null
      texts.emplace_back(std::string(length - 1, '\0') + last);
    }
    BytesIndex index(false);
    expect_numbers(index, texts, expected_numbers(texts));
    EXPECT_EQ(index.size(), texts.size()) << length;
    Texts stored = {std::nullopt};
    index.for_each([&](std::string_view text) { stored.emplace_back(text); });
    EXPECT_THAT(stored, testing::UnorderedElementsAreArray(texts)) << length;
  }
}

TEST(GroupIndex, NumbersWordsInTheOrderOfTheirFirstRows) {
  std::mt19937_64 random(2);
  std::map<uint64_t, uint32_t> known;
  NumberIndex index;
  for (int i = 0; i < 50'000; ++i) {
    const uint64_t key = random() % 20'000 << (random() % 2 * 40);
    const uint32_t number = known.emplace(key, static_cast<uint32_t>(known.size())).first->second;
    ASSERT_EQ(index.find_or_add(key), number);
    ASSERT_EQ(index.find(key), number);
  }
  EXPECT_EQ(index.size(), known.size());
}

TEST(GroupIndex, NumbersManyKeysAtOnceAsOneAfterTheOther) {
  std::mt19937_64 random(5);
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> known;
  KeyIndex<WordPair> pairs, one_by_one;
  std::vector<WordPair> all;  // by number
  for (uint64_t turn = 0; turn < 200; ++turn) {
    std::vector<WordPair> keys(random() % 3000);
    std::vector<uint32_t> expected, numbers(keys.size());
    for (WordPair& key : keys) {
      key = {random() % 300, random() % 300 << (random() % 2 * 50)};
      const auto [at, is_new] =
          known.emplace(std::pair(key.low, key.high), static_cast<uint32_t>(known.size()));
      if (is_new) all.push_back(key);
      expected.push_back(at->second);
      ASSERT_EQ(one_by_one.find_or_add(key), at->second);
    }
    pairs.find_or_add_all(keys.size(), [&](uint64_t i) { return keys[i]; }, numbers.data());
    ASSERT_EQ(numbers, expected) << turn;
  }
  ASSERT_GT(all.size(), 100'000U);
  EXPECT_EQ(pairs.size(), all.size());
  EXPECT_TRUE(std::ranges::equal(pairs.keys(), all));
}

// The keys are the number of a text beside a number of 16 bits, or a time of whole seconds.
TEST(GroupIndex, MultiplesOfPowersOfTwoHaveSlotsOfTheirOwn) {
  constexpr unsigned kBits = 20;
  constexpr uint64_t kKeys = uint64_t{1} << (kBits - 1);
  for (unsigned shift = 0; shift <= 44; ++shift) {
    std::vector<bool> used(uint64_t{1} << kBits);
    uint64_t looked_at = 0;
    for (uint64_t i = 0; i < kKeys; ++i) {
      uint64_t at = slot_tag(i << shift | (shift > 3 ? 5 : 0)) >> (32 - kBits);
      for (++looked_at; used[at]; ++looked_at) at = (at + 1) % used.size();
      used[at] = true;
    }
    EXPECT_LE(looked_at, 2 * kKeys) << shift;
  }
}

}  // namespace
}  // namespace heron
