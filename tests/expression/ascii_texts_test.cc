// Parts of texts computed for a whole buffer at once equal the same parts of each single text.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using Texts = std::vector<std::optional<std::string>>;

Texts made_texts(bool ascii, uint64_t rows) {
  std::mt19937_64 random(rows);
  Texts all;
  for (uint64_t row = 0; row < rows; ++row) {
    std::string text;
    const uint64_t length = random() % 5 == 0 ? random() % 60 : random() % 12;
    for (uint64_t i = 0; i < length; ++i) text += static_cast<char>('a' + random() % 26);
    if (!ascii && row % 1000 == 7) text.insert(text.size() / 2, "\xC3\x86");
    random() % 9 == 0 ? all.push_back(std::nullopt) : all.push_back(std::move(text));
  }
  return all;
}

// Returns the characters from `start` on, at most `count`.
std::string part_of(const std::string& text, size_t start, size_t count) {
  std::string part;
  size_t number = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool continues = (text[at] & 0xC0) == 0x80;
    number += !continues;
    if (number >= start && number - start < count) part += text[at];
  }
  return part;
}

void expect_part(const std::shared_ptr<const Table>& table, const Texts& texts, RowRange range,
                 const std::string& expression, size_t start, size_t count) {
  Query query(table);
  query.columns = {expression};
  query.range = range;
  RowBatch batch;
  uint64_t row = range.first;
  for (Scan scan(query); scan.next(batch);) {
    const Values& values = batch.columns[0];
    for (uint64_t i = 0; i < batch.rows; ++i, ++row) {
      ASSERT_EQ(values.is_null(i), !texts[row]) << expression << " row " << row;
      if (!texts[row]) continue;
      ASSERT_EQ(values.text(i), part_of(*texts[row], start, count)) << expression << " row " << row;
    }
  }
  ASSERT_EQ(row, range.last);
}

TEST(AsciiTexts, PartsAreThoseOfEachText) {
  constexpr size_t kAll = 1000;
  for (const bool ascii : {true, false}) {
    for (const uint64_t rows : {1u, 70u, 3000u, 20000u}) {
      const Texts texts = made_texts(ascii, rows);
      const auto table = TableMaker(rows).texts("s", texts).table();
      for (const uint64_t first : {uint64_t{0}, rows / 3, rows - 1}) {
        const RowRange range{first, rows};
        for (const size_t start : {1u, 2u, 9u, 30u, 70u}) {
          const std::string from = "substr(s, " + std::to_string(start);
          for (const size_t count : {0u, 1u, 6u, 8u, 9u, 40u}) {
            const std::string part = from + ", " + std::to_string(count) + ")";
            expect_part(table, texts, range, part, start, count);
          }
          expect_part(table, texts, range, from + ")", start, kAll);
          expect_part(table, texts, range, "left(s, " + std::to_string(start) + ")", 1, start);
        }
        expect_part(table, texts, range, "left(s, 0)", 1, 0);
      }
    }
  }
}

TEST(AsciiTexts, OfNoText) {
  const auto table = TableMaker(3).texts("s", {std::nullopt, "", std::nullopt}).table();
  expect_part(table, {std::nullopt, "", std::nullopt}, {0, 3}, "substr(s, 2, 3)", 2, 3);
}

TEST(AsciiTexts, GroupsAreThoseOfParts) {
  const Texts texts = made_texts(true, 5000);
  const auto table = TableMaker(5000).texts("s", texts).table();
  Query query(table);
  query.by = {"substr(s, 2, 1) as part"};
  const RowBatch groups = group_by(query, parse_aggregates(*table, "count(*)"));
  for (uint64_t i = 0; i < groups.rows; ++i) {
    uint64_t count = 0;
    for (const auto& text : texts) {
      count += groups.columns[0].is_null(i)
                   ? !text
                   : text && part_of(*text, 2, 1) == groups.columns[0].text(i);
    }
    EXPECT_EQ(groups.columns[1].get<uint64_t>(i), count);
  }
  EXPECT_EQ(groups.rows, 28u);  // letters, '' and null
}

}  // namespace
}  // namespace heron
