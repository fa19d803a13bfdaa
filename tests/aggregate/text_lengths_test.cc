// Groups, distinct counts and filters of texts of every length that is compared in another way,
// which differ in one letter anywhere.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

constexpr uint64_t kMaxLength = 80;

// Texts of a length: all the same, then one letter another at each position.
std::vector<std::string> texts_of(uint64_t length) {
  std::vector<std::string> texts{std::string(length, 'a')};
  for (uint64_t at = 0; at < length; ++at) {
    texts.push_back(texts.front());
    texts.back()[at] = 'b';
  }
  return texts;
}

TEST(TextLengths, EachTextIsAGroup) {
  std::vector<std::optional<std::string>> rows;
  uint64_t distinct = 0;
  for (uint64_t length = 0; length <= kMaxLength; ++length) {
    const auto texts = texts_of(length);
    distinct += texts.size();
    for (int repeat = 0; repeat < 2; ++repeat) rows.insert(rows.end(), texts.begin(), texts.end());
  }
  for (const bool large : {false, true}) {
    TableMaker maker(rows.size());
    maker.texts("s", rows, large);
    const auto table = maker.table();
    Query query(table);
    const auto count = aggregate(query, parse_aggregates(*table, "distinct(s)"));
    EXPECT_EQ(to_text(count.columns[0], 0), std::to_string(distinct));
    query.by = {"s"};
    const Aggregate two{.name = "rows"};
    const RowBatch groups = group_by(query, {&two, 1});
    ASSERT_EQ(groups.rows, distinct);
    for (uint64_t row = 0; row < groups.rows; ++row)
      ASSERT_EQ(to_text(groups.columns[1], row), "2") << groups.columns[0].text(row);
  }
}

TEST(TextLengths, EachTextEqualsItselfAlone) {
  for (const uint64_t length : {1, 3, 4, 7, 8, 9, 15, 16, 17, 24, 25, 32, 63, 64, 65, 80}) {
    const auto texts = texts_of(length);
    TableMaker maker(texts.size());
    maker.texts("s", {texts.begin(), texts.end()});
    for (uint64_t i = 0; i < texts.size(); i += 1 + length / 5) {
      Query query(maker.table(), concat("s = '", texts[i], '\''));
      const Aggregate rows{.name = "rows"};
      EXPECT_EQ(to_text(aggregate(query, {&rows, 1}).columns[0], 0), "1") << texts[i];
    }
  }
}

}  // namespace
}  // namespace heron
