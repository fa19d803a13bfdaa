// Splits contain each row once but those that zones exclude, and end where blocks, zones and groups
// end.
#include "heron/split.h"

#include <gtest/gtest.h>

#include <numeric>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

constexpr uint64_t kSplitRows = 500'000;

TableMaker split_maker() {
  std::vector<int32_t> row(kSplitRows);
  std::iota(row.begin(), row.end(), 0);
  std::vector<std::optional<std::string>> texts(kSplitRows);
  for (uint64_t i = 0; i < kSplitRows; ++i) texts[i] = std::string(i % 7, 'x');
  TableMaker maker(kSplitRows);
  maker.fixed("row", Type::Int32, row).texts("t", texts);
  return maker;
}

TEST(Splits, HaveAllRowsOnceAndTheirBytes) {
  for (const bool mapped : {true, false}) {
    const auto table = split_maker().table(mapped);
    const auto all = splits(Query(table), 600'000);
    ASSERT_GT(all.size(), 2);
    uint64_t row = 0, bytes = 0;
    for (const Split& one : all) {
      EXPECT_EQ(one.rows.first, row);
      EXPECT_TRUE(one.rows.last % 65'536 == 0 || one.rows.last == kSplitRows);
      EXPECT_EQ(one.min_rows, one.rows.rows());
      EXPECT_EQ(one.max_rows, one.rows.rows());
      row = one.rows.last;
      bytes += one.bytes;
      EXPECT_TRUE(row == kSplitRows || one.bytes >= 600'000);
    }
    EXPECT_EQ(row, kSplitRows);
    uint64_t characters = 0;
    for (uint64_t i = 0; i < kSplitRows; ++i) characters += i % 7;
    EXPECT_EQ(bytes, kSplitRows * (4 + 4) + characters);
    Query one_column(table);
    one_column.columns = {"row"};
    EXPECT_EQ(splits(one_column, UINT64_MAX).at(0).bytes, kSplitRows * 4);
  }
}

TEST(Splits, OfComputedColumns) {
  Query query(split_maker().table());
  query.columns = {"row * 2 as twice", "t"};
  uint64_t rows = 0;
  for (const Split& one : splits(query, 600'000)) rows += one.rows.rows();
  EXPECT_EQ(rows, kSplitRows);
  query.where = "row < 65536";
  const uint64_t parts = splits(query, 1).size();
  query.columns = {"row", "t"};
  EXPECT_EQ(parts, splits(query, 1).size());
}

TEST(Splits, NeverCutAGroup) {
  TableMaker maker = split_maker();
  for (uint64_t row = 0; row < kSplitRows; row += 1 + row % 977) maker.group_starts.push_back(row);
  maker.group_starts.push_back(kSplitRows);
  const auto table = maker.table();
  const auto all = splits(Query(table), 1);
  ASSERT_GT(all.size(), 5);
  for (const Split& one : all) {
    const auto& starts = maker.group_starts;
    EXPECT_TRUE(std::binary_search(starts.begin(), starts.end(), one.rows.last)) << one.rows.last;
  }
  EXPECT_EQ(all.back().rows.last, kSplitRows);
}

TEST(Splits, LeaveOutWhatZonesExcludeAndKnowWhatTheyDecide) {
  const auto table = split_maker().table();
  const Query query(table, "row >= 200000 and row < 300000");
  const auto unknown = splits(query, UINT64_MAX);
  ASSERT_EQ(unknown.size(), 1);
  EXPECT_EQ(unknown[0].min_rows, 0);
  EXPECT_EQ(unknown[0].max_rows, kSplitRows);
  EXPECT_EQ(count(query), 100'000);  // the zones are known from here on
  const auto known = splits(query, 1);
  uint64_t least = 0, most = 0, estimate = 0;
  for (const Split& one : known) {
    Query part = query;
    part.range = one.rows;
    const uint64_t exact = count(part);
    EXPECT_LE(one.min_rows, exact);
    EXPECT_GE(one.max_rows, exact);
    EXPECT_GE(one.estimated_rows, one.min_rows);
    EXPECT_LE(one.estimated_rows, one.max_rows);
    least += one.min_rows;
    most += one.max_rows;
    estimate += one.estimated_rows;
  }
  EXPECT_EQ(known.front().rows.first, 3 * 65'536);
  EXPECT_EQ(known.back().rows.last, 5 * 65'536);
  EXPECT_EQ(least, 0);  // no zone has only rows that pass
  EXPECT_EQ(most, 2 * 65'536);
  EXPECT_LE(estimate, most);  // zones that were examined have no rows that pass
  EXPECT_TRUE(splits(Query(table, "row < 0"), 1).empty());
  const auto negated = splits(Query(table, "not (row < 0)"), UINT64_MAX);
  ASSERT_EQ(negated.size(), 1);
  EXPECT_EQ(negated[0].min_rows, kSplitRows);
}

TEST(Splits, RefuseWhatTheyDoNotUse) {
  Query query(split_maker().table());
  query.limit = 3;
  EXPECT_EQ(test::error_of([&] { splits(query, 1); }).kind(), ErrorKind::Argument);
}

}  // namespace
}  // namespace heron
