// Indexes of keys against std::map: texts of lengths around those that a slot holds, and numbers.
#include "aggregate/text_index.h"

#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace heron {
namespace {

using Texts = std::vector<std::optional<std::string>>;

// Texts of up to 40 bytes that mostly share their first or last bytes; some are null.
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

// The numbers that the texts get one after the other.
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

}  // namespace
}  // namespace heron
