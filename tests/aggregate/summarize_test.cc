// The summary of a column that `stats` prints.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "columns/dictionaries/key_column.h"
#include "columns/fixed_column.h"
#include "columns/null_column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"
#include "kit/values_column.h"

namespace heron {
namespace {

ColumnStats summary_of(const TableMaker& maker, bool mapped = true) {
  return stats(maker.table(mapped)).front();
}
template <class T>
ColumnStats summary_of(Type type, const std::vector<T>& cells,
                         NullEncoding nulls = NullEncoding::Never) {
  return summary_of(TableMaker(cells.size()).fixed("c", type, cells, nulls));
}
void expect_range(const ColumnStats& summary, const Scalar& min, const Scalar& max) {
  EXPECT_EQ(summary.min, min);
  EXPECT_EQ(summary.max, max);
}

TEST(Summarize, IntegersWithNulls) {
  for (const bool mapped : {true, false}) {
    const auto summary =
        summary_of(TableMaker(5).fixed<int32_t>("c", Type::Int32, {3, INT32_MIN, -1, 3, 3},
                                                NullEncoding::Sentinel),
                   mapped);
    EXPECT_EQ(summary.rows, 5);
    EXPECT_EQ(summary.null_count, 1);
    expect_range(summary, int64_t{-1}, int64_t{3});
    EXPECT_EQ(summary.sum, 8);
    EXPECT_EQ(summary.mean, 2);
    EXPECT_EQ(summary.distinct, 2);
    EXPECT_TRUE(summary.distinct_is_exact);
  }
}

TEST(Summarize, OnlyTheRowsOfARange) {
  Query query(
      TableMaker(5)
          .fixed<int32_t>("c", Type::Int32, {3, INT32_MIN, -1, 3, 9}, NullEncoding::Sentinel)
          .table());
  query.range = RowRange{1, 4};
  const ColumnStats summary = stats(query).front();
  EXPECT_EQ(summary.rows, 3);
  EXPECT_EQ(summary.null_count, 1);
  expect_range(summary, int64_t{-1}, int64_t{3});
}

TEST(Summarize, TheExtremesOfIntegers) {
  expect_range(summary_of<uint64_t>(Type::UInt64, {UINT64_MAX, 0}), uint64_t{0}, UINT64_MAX);
  expect_range(summary_of<int64_t>(Type::Int64, {INT64_MIN, INT64_MAX}), INT64_MIN, INT64_MAX);
  EXPECT_EQ(summary_of<int8_t>(Type::Int8, {INT8_MAX}).max, Scalar(int64_t{INT8_MAX}));
}

TEST(Summarize, FloatsWithoutTheirNaNs) {
  const auto summary = summary_of<double>(Type::Float64, {kNaN, 1, kInfinity, -2, -kNaN});
  EXPECT_EQ(summary.null_count, 0);
  expect_range(summary, -2.0, kInfinity);
  EXPECT_EQ(summary.distinct, 4) << "all NaNs are one";
  EXPECT_EQ(summary_of<double>(Type::Float64, {kNaN, 1}, NullEncoding::NaN).null_count, 1);
}

TEST(Summarize, FloatsThatAreAllNaNHaveNoRange) {
  const auto summary = summary_of<float>(Type::Float32, {static_cast<float>(kNaN)});
  expect_range(summary, {}, {});
  EXPECT_EQ(summary.distinct, 1);
  EXPECT_TRUE(summary.sum.has_value());
}

TEST(Summarize, BothZerosAreOneValue) {
  EXPECT_EQ(summary_of<double>(Type::Float64, {0.0, -0.0, 0.0}).distinct, 1);
}

TEST(Summarize, Bools) {
  const auto both =
      summary_of(TableMaker(4).bits("c", {true, false, true, true}, {true, true, true, false}));
  expect_range(both, false, true);
  EXPECT_EQ(both.sum, 2);
  EXPECT_EQ(both.distinct, 2);
  EXPECT_EQ(both.null_count, 1);
  expect_range(summary_of(TableMaker(2).bits("c", {true, true})), true, true);
}

TEST(Summarize, Texts) {
  const auto summary = summary_of(TableMaker(5).texts("c", {"b", std::nullopt, "", "b", "\xff"}));
  expect_range(summary, std::string(), std::string("\xff"));
  EXPECT_EQ(summary.distinct, 3);
  EXPECT_EQ(summary.null_count, 1);
  EXPECT_FALSE(summary.sum.has_value());
  EXPECT_FALSE(summary.mean.has_value());
}

TEST(Summarize, DatesAndTimesWithoutASum) {
  const auto dates = summary_of<int32_t>(Type::Date32, {5, -3, INT32_MIN}, NullEncoding::Sentinel);
  expect_range(dates, int64_t{-3}, int64_t{5});
  EXPECT_FALSE(dates.sum.has_value());
  expect_range(summary_of<int64_t>(Type::Timestamp, {7, 8}), int64_t{7}, int64_t{8});
}

TEST(Summarize, NothingWhereAllIsNull) {
  for (const auto& summary :
       {summary_of<int16_t>(Type::Int16, {INT16_MIN, INT16_MIN}, NullEncoding::Sentinel),
        summary_of<double>(Type::Float64, {kNaN, kNaN}, NullEncoding::NaN),
        summary_of(TableMaker(2).texts("c", {std::nullopt, std::nullopt})),
        summary_of(TableMaker(2).bits("c", {true, true}, {false, false})),
        summary_of(TableMaker(2).null("c"))}) {
    EXPECT_EQ(summary.null_count, 2);
    expect_range(summary, {}, {});
    EXPECT_FALSE(summary.sum.has_value());
    EXPECT_FALSE(summary.mean.has_value());
    EXPECT_EQ(summary.distinct, 0);
  }
  expect_range(summary_of<int32_t>(Type::Int32, {}), {}, {});
}

TEST(Summarize, OfListsOnlyTheNulls) {
  const auto summary = summary_of(TableMaker(2).lists("c", {0, 1, 1}, {7}, {true, false}));
  EXPECT_EQ(summary.null_count, 1);
  expect_range(summary, {}, {});
  EXPECT_EQ(summary.distinct, std::nullopt);
}

// A number takes 16 bytes: 2^20 - 1 of them fit kDistinctBytes.
TEST(Summarize, EstimatesDistinctNumbersBeyondWhatItHolds) {
  constexpr uint64_t kExact = kDistinctBytes / 16;
  std::vector<int32_t> cells(kExact);
  std::iota(cells.begin(), cells.end(), 1);
  cells.push_back(1);
  const auto exact = summary_of(Type::Int32, cells);
  EXPECT_EQ(exact.distinct, kExact);
  EXPECT_TRUE(exact.distinct_is_exact);
  cells.back() = -1;
  const auto more = summary_of(Type::Int32, cells);
  EXPECT_NEAR(static_cast<double>(*more.distinct), double{kExact + 1}, kExact * 0.03);
  EXPECT_FALSE(more.distinct_is_exact);
  expect_range(more, int64_t{-1}, int64_t{kExact});
}

TEST(Summarize, EstimatesDistinctTextsBeyondWhatItHolds) {
  std::vector<std::optional<std::string>> texts;
  for (int i = 0; i < 2000; ++i) texts.push_back(std::string(40'000, 'x') + std::to_string(i));
  const auto more = summary_of(TableMaker(texts.size()).texts("c", texts, true));
  EXPECT_NEAR(static_cast<double>(*more.distinct), 2000, 60);
  EXPECT_FALSE(more.distinct_is_exact);
  texts.resize(1500);
  EXPECT_EQ(summary_of(TableMaker(texts.size()).texts("c", texts, true)).distinct, 1500);
}

TEST(Summarize, TimesDurationsAndKeysAreIntegers) {
  const auto times = summary_of<int64_t>(Type::DateTime, {30, 10, 30});
  expect_range(times, int64_t{10}, int64_t{30});
  EXPECT_EQ(times.distinct, 2);
  EXPECT_FALSE(times.sum);
  expect_range(summary_of<int64_t>(Type::Duration, {5, -7}), int64_t{-7}, int64_t{5});
  const auto keys =
      summary_of<uint16_t>(Type::key(Type::UInt16, 9), {3, 0, 9, 3}, NullEncoding::Zero);
  EXPECT_EQ(keys.null_count, 1);
  expect_range(keys, uint64_t{3}, uint64_t{9});
  EXPECT_EQ(keys.distinct, 2);
  EXPECT_FALSE(keys.sum);
}

TEST(Summarize, TimesOfLocalClocksByWhenTheyAreInUtc) {
  constexpr int64_t kHour = 36'000'000'000;
  const auto summary = summary_of<DateTimeOffset>(
      Type::DateTimeOffset,
      {{100 * kHour, 60, {}}, {100 * kHour, -60, {}}, {98 * kHour, -60, {}}, {99 * kHour, 0, {}}});
  expect_range(summary, 99 * kHour, 101 * kHour);
  EXPECT_EQ(summary.distinct, 2);
}

TEST(Summarize, CountsOfVectorsAndRowIdsOnlyTheNull) {
  for (const Type& type :
       {Type::vector(Type::Float32, 4), Type::vector(Type::Text), Type(Type::RowId)}) {
    SCOPED_TRACE(type.name());
    const auto summary = stats(table_of_random(type, 500)).front();
    EXPECT_EQ(summary.rows, 500);
    EXPECT_EQ(summary.null_count > 0, type.is(Type::RowId));
    expect_range(summary, {}, {});
    EXPECT_EQ(summary.distinct, std::nullopt);
    EXPECT_TRUE(summary.distinct_is_exact);
    EXPECT_FALSE(summary.mean);
  }
}

// Keys 1 to 4 have values, of which two are equal; no row has the last key.
TEST(Summarize, KeysAreWhatTheyStandFor) {
  const auto values = std::make_shared<const KeyValues>([](const Context&) {
    return read(Projection(TableMaker(4).texts("v", {"b", "c", "b", "a"}).table()), {0, 4});
  });
  TableMaker maker(5);
  const Piece cells = maker.pieces.add(std::vector<uint32_t>{1, 3, 0, 2, 1});
  maker.add("c", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    auto numbers = std::make_unique<FixedColumn>(
        Type::key(Type::UInt32, 4), rows, label,
        FixedCells{.cells = cells.in(source), .nulls = NullEncoding::Zero});
    return std::make_unique<KeyColumn>(label, std::move(numbers), values);
  });
  const auto summary = summary_of(maker);
  EXPECT_EQ(summary.null_count, 1);
  expect_range(summary, std::string("b"), std::string("c"));
  EXPECT_EQ(summary.type, Type(Type::Text));
  EXPECT_EQ(summary.distinct, 2);
}

// A column that cannot be read has no nulls, even if its type is not known, so that it seems to
// store nothing.
TEST(Summarize, WhatCannotBeReadIsNotCountedAsNull) {
  for (const ErrorKind kind : {ErrorKind::Corrupt, ErrorKind::Unsupported}) {
    TableMaker maker(20);
    maker.null("n").add("v", [=](const ByteSource&, uint64_t rows, ColumnLabel label) {
      return std::make_unique<UnreadableColumn>(Type::Null, rows, label,
                                                Error(kind, "made.file", "lost"));
    });
    const auto table = maker.table();
    const auto error = [&](auto ask) { return test::error_of(kind, ask); };
    const std::vector<Aggregate> counted = {{Aggregate::Function::Count, 1, "v"}};
    EXPECT_EQ(error([&] { aggregate(table, counted); }), "made.file: lost");
    EXPECT_EQ(error([&] { parse_aggregates(*table, "distinct(v)"); }), "made.file: lost");
    if (kind != ErrorKind::Corrupt) continue;
    EXPECT_EQ(error([&] { stats(Projection(table)); }), "made.file: lost");
    const Predicate none(table, "n is not null");
    EXPECT_EQ(error([&] { stats(Query(table, none)); }), "made.file: lost");
  }
}

}  // namespace
}  // namespace heron
