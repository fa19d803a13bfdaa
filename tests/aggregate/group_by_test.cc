// Groups, besides their values, which group_by_differential_test.cc checks.
#include "heron/aggregate.h"
#include "heron/scan.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <random>

#include "aggregate/aggregates.h"
#include "base/fail.h"
#include "base/hints.h"
#include "error_of.h"
#include "grouped_table.h"
#include "heron/heron.h"
#include "kit/damaged_table.h"
#include "kit/effort.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "values/scalar.h"

namespace heron {
namespace {

using test::by;
using test::error_of;
using test::grouped_table;
using test::kGroupedRows;

TEST(GroupBy, SumsAreTheSameToTheLastBitOnAnyThreads) {
  const auto table = grouped_table();
  const auto aggregates = parse_aggregates(*table, "sum(f), mean(f), count");
  const RowBatch one = group_by(by(table, {"k"}), aggregates);
  const RowBatch four = group_by(by(table, {"k"}), aggregates, on_threads(4));
  ASSERT_EQ(one.rows, 10'000);
  ASSERT_EQ(four.rows, one.rows);
  for (uint64_t row = 0; row < one.rows; ++row) {
    for (uint64_t column = 0; column < one.columns.size(); ++column) {
      ASSERT_EQ(scalar_at(one.columns[column], row), scalar_at(four.columns[column], row));
    }
  }
}

// Threads reuse the groups of one range of rows for the next.
TEST(GroupBy, GivesTheSameOnAnyThreads) {
  const auto table = grouped_table();
  const auto aggregates = parse_aggregates(
      *table, "count, count(t), sum(k), min(f), max(t), mean(f), stddev(f), first(f), last(t), "
              "any_value(k), count_null(t), approx_distinct(k), distinct(f), mode(t)");
  const std::string fast = "count, sum(k), min(f), max(t), stddev(f), first(f), last(k)";
  for (const std::vector<std::string>& keys :
       {std::vector<std::string>{"t"}, {"t", "k"}, {"k"}}) {
    for (const auto& some : {aggregates, parse_aggregates(*table, fast)}) {
      const RowBatch one = group_by(by(table, keys), some);
      for (const unsigned threads : {2U, 4U}) {
        if (kIsSanitized && threads != 4) continue;
        const RowBatch many = group_by(by(table, keys), some, on_threads(threads));
        ASSERT_EQ(many.rows, one.rows);
        for (uint64_t row = 0; row < one.rows; row += kIsSanitized ? 16 : 1) {
          for (uint64_t column = 0; column < one.columns.size(); ++column) {
            ASSERT_EQ(owned(scalar_at(one.columns[column], row)),
                      owned(scalar_at(many.columns[column], row)))
                << keys.size() << ' ' << (*one.schema)[column].name << ' ' << row;
          }
        }
      }
    }
  }
}

TEST(GroupBy, SumsOfIntegersGoBeyond64BitsAndBack) {
  constexpr int64_t kMaximum = INT64_MAX;
  const std::vector<int32_t> k = {0, 1, 0, 1, 0, 1, 0, 1, 0};
  const std::vector<int64_t> v = {kMaximum, -7, kMaximum, 2, -kMaximum, 1, -kMaximum, -2, 5};
  const auto sums = [&](int rows) {
    const auto table = TableMaker(static_cast<uint64_t>(rows))
                           .fixed("k", Type::Int32, std::vector(k.begin(), k.begin() + rows))
                           .fixed("v", Type::Int64, std::vector(v.begin(), v.begin() + rows))
                           .table(true);
    return group_by(by(table, {"k"}), parse_aggregates(*table, "sum(v), mean(v)"));
  };
  const RowBatch back = sums(9);
  EXPECT_EQ(back.columns[1].get<int64_t>(0), 5);
  EXPECT_EQ(back.columns[1].get<int64_t>(1), -6);
  EXPECT_EQ(back.columns[2].get<double>(0), 1);
  EXPECT_EQ(back.columns[2].get<double>(1), -1.5);
  const RowBatch beyond = sums(4);
  EXPECT_EQ(beyond.columns[1].type.id(), Type::Int128);
  EXPECT_EQ(as_double(beyond.columns[1], 0), 2.0 * static_cast<double>(kMaximum));
  EXPECT_EQ(as_double(beyond.columns[1], 1), -5);
}

// Small keys are looked up in an array, which grows with the rows, others in a table.
TEST(GroupBy, KeysOfAnySizeAreCounted) {
  constexpr int32_t kNear[] = {0, 1, 100, 65'534, 65'535, 65'536, 70'000, 1'048'575, 1'048'576,
                               -1, -65'536, INT32_MAX};
  std::mt19937_64 random(5);
  for (const bool are_many : {false, true}) {
    std::vector<int32_t> k(are_many ? 400'000 : 50'000);
    std::unordered_map<int32_t, uint64_t> groups_of;
    std::vector<std::pair<int32_t, uint64_t>> expected;
    for (int32_t& key : k) {
      key = are_many && random() % 100 != 0 ? static_cast<int32_t>(random() % 300'000)
                                            : kNear[random() % std::size(kNear)];
      const auto [group, is_new] = groups_of.emplace(key, expected.size());
      if (is_new) expected.emplace_back(key, 0);
      ++expected[group->second].second;
    }
    const auto table = TableMaker(k.size()).fixed("k", Type::Int32, k).table(true);
    for (const unsigned threads : {1U, 4U}) {
      const RowBatch groups =
          group_by(by(table, {"k"}), parse_aggregates(*table, "count"), on_threads(threads));
      ASSERT_EQ(groups.rows, expected.size());
      for (uint64_t i = 0; i < groups.rows; ++i) {
        ASSERT_EQ(groups.columns[0].get<int32_t>(i), expected[i].first);
        ASSERT_EQ(groups.columns[1].get<uint64_t>(i), expected[i].second);
      }
    }
  }
}

// Keys that other keys determine split no groups; for floats, 1 / -0.0 and 1 / 0.0 differ.
TEST(GroupBy, ComputedKeysStandBesideWhatTheyAreComputedFrom) {
  const auto table = TableMaker(6)
                         .fixed<int32_t>("i", Type::Int32, {1, 2, 1, INT32_MIN, 2, INT32_MIN},
                                         NullEncoding::Sentinel)
                         .fixed<double>("f", Type::Float64, {0.0, 1, -0.0, 1, 1, 0.0})
                         .texts("t", {"a", "B", "a", std::nullopt, "b", std::nullopt})
                         .table();
  const auto shown = [&](std::vector<std::string> keys) {
    const RowBatch groups = group_by(by(table, std::move(keys)), parse_aggregates(*table, "count"));
    std::string all;
    for (uint64_t row = 0; row < groups.rows; ++row) {
      for (const Values& column : groups.columns) all += to_text(column, row) + " ";
      all += "/ ";
    }
    return all;
  };
  EXPECT_EQ(shown({"i", "i + 1 as j", "coalesce(i, 7) as k", "'x' as one"}),
            "1 2 1 x 2 / 2 3 2 x 2 / null null 7 x 2 / ");
  EXPECT_EQ(shown({"1 as one"}), "1 6 / ");
  EXPECT_EQ(shown({"1 as one", "'x' as other"}), "1 x 6 / ");
  EXPECT_EQ(shown({"upper(t) as u", "t"}), "A a 2 / B B 1 / null null 2 / B b 1 / ");
  EXPECT_EQ(shown({"lower(t) as l", "i"}), "a 1 2 / b 2 2 / null null 2 / ");
  EXPECT_EQ(shown({"f", "1 / f as r"}), "0 Infinity 2 / 1 1 3 / 0 -Infinity 1 / ");
}

TEST(GroupBy, GroupsComeInTheOrderOfTheirFirstRows) {
  const auto table = grouped_table();
  const RowBatch groups = group_by(by(table, {"t"}), {}, on_threads(3));
  ASSERT_EQ(groups.rows, 100);
  const RowBatch rows = read(Projection(table, {"t"}), {0, 5000});
  std::vector<ScalarView> seen;
  for (uint64_t row = 0; row < rows.rows; ++row) {
    const ScalarView value = scalar_at(rows.columns[0], row);
    if (std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
  }
  ASSERT_EQ(seen.size(), groups.rows);
  for (uint64_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(scalar_at(groups.columns[0], i), seen[i]);
  }
}

// Small integers find their groups in an array, others by hashes.
TEST(GroupBy, SmallIntegersHaveTheGroupsOfLargeOnes) {
  std::mt19937_64 random(9);
  std::vector<int16_t> small(kGroupedRows);
  std::vector<bool> valid(kGroupedRows);
  for (uint64_t row = 0; row < kGroupedRows; ++row) {
    small[row] = static_cast<int16_t>(random());
    valid[row] = random() % 1000 != 0;
  }
  const std::vector<int64_t> large(small.begin(), small.end());
  const auto table = TableMaker(kGroupedRows)
                         .fixed("small", Type::Int16, small, NullEncoding::Bitmap, valid)
                         .fixed("large", Type::Int64, large, NullEncoding::Bitmap, valid)
                         .table(true);
  const auto aggregates = parse_aggregates(*table, "count, sum(large)");
  for (const unsigned threads : {1U, 4U}) {
    const RowBatch by_array = group_by(by(table, {"small"}), aggregates, on_threads(threads));
    const RowBatch by_hash = group_by(by(table, {"large"}), aggregates, on_threads(threads));
    ASSERT_EQ(by_array.rows, by_hash.rows);
    ASSERT_GT(by_array.rows, 60'000);
    for (uint64_t row = 0; row < by_hash.rows; ++row) {
      for (uint64_t column = 0; column < by_hash.columns.size(); ++column) {
        ASSERT_EQ(scalar_at(by_array.columns[column], row),
                  scalar_at(by_hash.columns[column], row));
      }
    }
  }
}

TEST(GroupBy, HoldsNoMoreThanTheBudget) {
  const auto table = grouped_table();
  Context context;
  context.memory = std::make_shared<MemoryBudget>(4 << 20);
  const auto aggregates = parse_aggregates(*table, "distinct(f), distinct(k)");
  const Error error = error_of([&] { group_by(by(table, {"k", "t"}), aggregates, context); });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_EQ(context.memory->used(), 0);
}

TEST(GroupBy, DistinctValuesOfGroupsAreRightOrBeyondTheBudget) {
  const auto table = grouped_table();
  const auto aggregates = parse_aggregates(*table, "distinct(f)");
  const RowBatch right = group_by(by(table, {"t"}), aggregates);
  uint64_t refused = 0, answered = 0;
  for (const uint64_t budget : {3, 4, 6, 8, 12, 16, 24, 32, 64, 128}) {
    Context context;
    context.memory = std::make_shared<MemoryBudget>(budget << 20);
    try {
      const RowBatch groups = group_by(by(table, {"t"}), aggregates, context);
      ++answered;
      for (uint64_t row = 0; row < right.rows; ++row) {
        ASSERT_EQ(scalar_at(groups.columns[1], row), scalar_at(right.columns[1], row));
      }
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::Limit);
      EXPECT_STREQ(error.hint(), hint::kMemory) << budget << " MiB: " << error.what();
    }
    EXPECT_EQ(context.memory->used(), 0);
  }
  EXPECT_GT(refused, 1);
  EXPECT_GT(answered, 0);
}

TEST(GroupBy, RefusesWhatHasNoGroupsAndFunctionsOfOtherTypes) {
  const auto table = grouped_table();
  EXPECT_EQ(error_of([&] { group_by(by(table, {}), {}); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(
      error_of([&] { group_by(by(table, {"k"}), parse_aggregates(*table, "sum(t)")); }).kind(),
      ErrorKind::Argument);
}

TEST(GroupBy, OfNothingSelectedIsEmpty) {
  const auto table = grouped_table();
  const auto aggregates = parse_aggregates(*table, "sum(f), min(t)");
  const RowBatch none = group_by(by(table, {"k"}, "k < 0"), aggregates);
  EXPECT_EQ(none.rows, 0);
  EXPECT_EQ(none.columns.size(), 3);
}

TEST(GroupBy, CountsRowsOfWhatStoresNothing) {
  const auto table = grouped_table();
  const RowBatch all = group_by(by(table, {"nothing"}), parse_aggregates(*table, "count"));
  ASSERT_EQ(all.rows, 1);
  EXPECT_EQ(all.columns[1].get<uint64_t>(0), kGroupedRows);
}

TEST(GroupBy, LeavesDamagedBlocksOutOnRequest) {
  const auto table = damaged_table();
  const auto aggregates = parse_aggregates(*table, "count, min(n)");
  EXPECT_EQ(error_of([&] { group_by(by(table, {"t"}), aggregates); }).kind(), ErrorKind::Corrupt);
  SkippedRows skipped;
  Query query = by(table, {"t"});
  query.skip_damaged = &skipped;
  const RowBatch groups = group_by(query, aggregates);
  ASSERT_EQ(groups.rows, 1);
  EXPECT_EQ(groups.columns[1].get<uint64_t>(0), 900);
  EXPECT_EQ(skipped.rows(), 100);
}

// Keys whose values lie between known bounds have few bits, one of their numbers being null.
TEST(GroupBy, KeysWithBoundsAndNulls) {
  constexpr uint64_t kRows = 100'003;
  std::mt19937_64 random(8);
  std::vector<int64_t> when(kRows), other(kRows);
  for (uint64_t row = 0; row < kRows; ++row) {
    when[row] =
        random() % 20 == 0 ? INT64_MIN : static_cast<int64_t>(random() % (uint64_t{1} << 60));
    other[row] = static_cast<int64_t>(random() % 3) - 1;
  }
  const auto table = TableMaker(kRows)
                         .fixed("when", Type::Timestamp, when, NullEncoding::Sentinel)
                         .fixed("other", Type::Int64, other, NullEncoding::Sentinel)
                         .table();
  constexpr int64_t kSecond = 1'000'000'000;
  std::map<std::array<std::optional<int64_t>, 3>, uint64_t> expected;
  for (uint64_t row = 0; row < kRows; ++row) {
    const bool is_null = when[row] == INT64_MIN;
    const auto part = [&](int64_t seconds, int64_t count) {
      return is_null ? std::nullopt : std::optional(when[row] / kSecond / seconds % count);
    };
    ++expected[{part(60, 60), part(3600, 24), other[row]}];
  }
  for (const unsigned threads : {1U, 4U}) {
    const RowBatch groups =
        group_by(by(table, {"minute(when) as m", "hour(when) as h", "other"}),
                 parse_aggregates(*table, "count"), on_threads(threads));
    ASSERT_EQ(groups.rows, expected.size());
    for (uint64_t row = 0; row < groups.rows; ++row) {
      std::array<std::optional<int64_t>, 3> key;
      for (uint64_t i = 0; i < key.size(); ++i) {
        if (!groups.columns[i].is_null(row)) key[i] = groups.columns[i].get<int64_t>(row);
      }
      ASSERT_EQ(groups.columns[3].get<uint64_t>(row), expected[key]);
    }
  }
}

TEST(GroupBy, RenamedKeysAreThoseOfTheirColumn) {
  const std::vector<int64_t> number = {INT64_MIN, 1, 5, INT64_MIN, 2, 0, 1};
  const auto table = TableMaker(number.size())
                         .fixed("number", Type::Int64, number, NullEncoding::Sentinel)
                         .table();
  for (const char* key : {"number", "number as n", "nullif(number, 7) as n"}) {
    const RowBatch groups =
        group_by(by(table, {key}), parse_aggregates(*table, "count"), on_threads(1));
    std::map<std::optional<int64_t>, uint64_t> counts;
    for (uint64_t row = 0; row < groups.rows; ++row) {
      const bool is_null = groups.columns[0].is_null(row);
      const auto value =
          is_null ? std::nullopt : std::optional(groups.columns[0].get<int64_t>(row));
      counts[value] = groups.columns[1].get<uint64_t>(row);
    }
    const std::map<std::optional<int64_t>, uint64_t> expected = {
        {std::nullopt, 2}, {0, 1}, {1, 2}, {2, 1}, {5, 1}};
    EXPECT_EQ(counts, expected) << key;
  }
}

}  // namespace
}  // namespace heron
