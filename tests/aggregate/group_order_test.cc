// Orders of rows and of groups, besides their values, which group_by_differential_test.cc checks.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "grouped_table.h"
#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/on_threads.h"
#include "sort/ordered_rows.h"
#include "values/scalar.h"

namespace heron {
namespace {

using test::by;
using test::grouped_table;
using test::kGroupedRows;

TEST(OrderedRows, AreTheFirstOfAStableSortOnAnyThreads) {
  const auto table = grouped_table();
  const RowBatch rows = read(Projection(table, {"t", "k"}), {0, kGroupedRows});
  std::vector<uint64_t> expected(kGroupedRows);
  std::iota(expected.begin(), expected.end(), uint64_t{0});
  std::vector<std::pair<ScalarView, ScalarView>> keys;
  for (const uint64_t row : expected) {
    keys.emplace_back(scalar_at(rows.columns[0], row), scalar_at(rows.columns[1], row));
  }
  std::stable_sort(expected.begin(), expected.end(), [&](uint64_t a, uint64_t b) {
    const auto order = compare(keys[a].first, keys[b].first);
    return order != 0 ? order > 0 : compare(keys[a].second, keys[b].second) < 0;
  });
  Query query(table);
  query.order = {{"t", Descending}, {"k"}};
  for (const unsigned threads : {1U, 4U}) {
    if (kIsSanitized && threads == 1) continue;
    for (const uint64_t limit :
         {uint64_t{0}, uint64_t{1}, uint64_t{17}, uint64_t{50'000}, UINT64_MAX}) {
      query.limit = limit;
      const auto got = ordered_rows(query, on_threads(threads));
      const auto last =
          expected.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(limit, expected.size()));
      EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), last))
          << limit << " on " << threads;
    }
  }
}

TEST(OrderedRows, SpillManyKeys) {
  const auto table = grouped_table();
  Query query(table);
  query.order = {{"t", Descending}, {"k"}};
  for (const uint64_t limit : {uint64_t{30'000}, Query::kNoLimit}) {
    query.limit = limit;
    const auto expected = ordered_rows(query);
    for (const unsigned threads : {1U, 4U}) {
      OrderedRows ordered(query, on_threads(threads), uint64_t{1} << 20);
      EXPECT_TRUE(ordered.has_spilled());
      ASSERT_EQ(ordered.size(), expected.size());
      std::vector<uint64_t> rows, some;
      do {
        ordered.next(777, some);
        rows.insert(rows.end(), some.begin(), some.end());
      } while (!some.empty());
      EXPECT_EQ(rows, expected) << limit << " on " << threads;
    }
  }
}

TEST(OrderedRows, OfAPredicateAndOfNothing) {
  const auto table = grouped_table();
  Query query(table);
  query.order = {{"f", Descending}};
  query.limit = 3;
  const Predicate where(table, "k = 77");
  query.where = where;
  const auto rows = ordered_rows(query);
  ASSERT_EQ(rows.size(), 3);
  const RowBatch got = take(Projection(table, {"f", "k"}), rows);
  EXPECT_EQ(got.columns[1].get<int32_t>(2), 77);
  EXPECT_GE(got.columns[0].get<double>(0), got.columns[0].get<double>(1));
  query.where = "k < 0";
  EXPECT_TRUE(ordered_rows(query).empty());
}

TEST(GroupBy, GivesGroupsInOrderAndNoMoreThanRequested) {
  const auto table = grouped_table();
  Query query = by(table, {"t"});
  query.order = {{"count", Descending}, {"t"}};
  query.limit = 5;
  const RowBatch top = group_by(query, parse_aggregates(*table, "count"));
  ASSERT_EQ(top.rows, 5);
  for (uint64_t row = 1; row < 5; ++row) {
    EXPECT_GE(top.columns[1].get<uint64_t>(row - 1), top.columns[1].get<uint64_t>(row));
  }
}

// If fewer groups than all are returned, only the aggregates in the order are computed for all.
TEST(GroupBy, FirstGroupsAreTheHeadOfAllGroups) {
  const auto table = grouped_table();
  const auto aggregates = parse_aggregates(
      *table,
      "count, sum(k) as n, mean(f) as m, min(t) as least, median(f) as half, count(t) as c");
  const std::vector<std::vector<OrderBy>> orders = {
      {}, {{"count", Descending}}, {{"k"}}, {{"n", Descending}, {"k", Descending}},
      {{"least"}, {"half", Descending}}, {{"c"}, {"t", Descending}, {"count"}}};
  for (const std::vector<OrderBy>& order : orders) {
    for (const unsigned threads : {1U, 4U}) {
      Query query = by(table, {"k", "t"});
      query.order = order;
      const RowBatch all = group_by(query, aggregates, on_threads(threads));
      ASSERT_EQ(all.rows, 10'000);
      for (const uint64_t limit : {0, 10, 2000, 20'000}) {
        query.limit = limit;
        const RowBatch first = group_by(query, aggregates, on_threads(threads));
        ASSERT_EQ(first.rows, std::min<uint64_t>(limit, all.rows));
        ASSERT_EQ(first.columns.size(), all.columns.size());
        for (uint64_t column = 0; column < all.columns.size(); ++column) {
          ASSERT_EQ((*first.schema)[column].name, (*all.schema)[column].name);
          for (uint64_t row = 0; row < first.rows; ++row) {
            ASSERT_EQ(scalar_at(first.columns[column], row), scalar_at(all.columns[column], row))
                << column << ' ' << row << ' ' << limit;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace heron
