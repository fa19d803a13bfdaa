// Aggregates of values at the edges of their types, and the language of aggregates.
#include "heron/aggregate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/fail.h"
#include "base/int128.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"
#include "shown_answers.h"

namespace heron {
namespace {

TEST(Aggregate, OfIntegersIsExactBeyond64Bits) {
  const auto sum_of = [](Type type, const auto& cells) {
    return answers(TableMaker(cells.size()).fixed("c", type, cells).table(), "sum(c)").front();
  };
  EXPECT_EQ(sum_of(Type::Int64, std::vector{INT64_MAX, int64_t{1}}), "uint64 9223372036854775808");
  EXPECT_EQ(sum_of(Type::Int64, std::vector{INT64_MAX, INT64_MIN}), "int64 -1");
  EXPECT_EQ(sum_of(Type::Int64, std::vector{INT64_MIN, int64_t{-1}}),
            "int128 -9223372036854775809");
  EXPECT_EQ(sum_of(Type::UInt64, std::vector{UINT64_MAX, UINT64_MAX}),
            "int128 36893488147419103230");
}

// Sums are the same in groups and without them, of merged states and in an order.
TEST(Aggregate, OfGroupsIsExactBeyond64Bits) {
  const std::vector<int64_t> cells = {INT64_MAX, 7, INT64_MIN, INT64_MAX, INT64_MIN, -7};
  const auto grouped = [&](const std::vector<int32_t>& keys) {
    const auto table = TableMaker(cells.size())
                           .fixed("k", Type::Int32, keys)
                           .fixed("c", Type::Int64, cells)
                           .table();
    Query query(table);
    query.by = {"k"};
    const auto aggregates = parse_aggregates(*table, "sum(c)");
    const PartialAggregate parts(query, aggregates, {0, cells.size()});
    query.order = {{"sum(c)", Descending}};
    const RowBatch groups = group_by(query, aggregates);
    std::vector<std::string> all = {groups.columns[1].type.name()};
    const RowBatch merged = PartialAggregate(parts.bytes()).result(query.order);
    EXPECT_EQ(merged.columns[1].type, groups.columns[1].type);
    for (uint64_t row = 0; row < groups.rows; ++row) {
      all.push_back(to_text(groups.columns[1], row));
      EXPECT_EQ(to_text(merged.columns[1], row), all.back());
    }
    return all;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(grouped({1, 2, 3, 1, 3, 2}),
            (Texts{"int128", "18446744073709551614", "0", "-18446744073709551616"}));
  EXPECT_EQ(grouped({1, 2, 1, 2, 1, 3}),
            (Texts{"int128", "9223372036854775814", "-7", "-9223372036854775809"}));
  EXPECT_EQ(grouped({1, 2, 1, 2, 2, 2}), (Texts{"int64", "-1", "-1"}));
  EXPECT_EQ(grouped({1, 1, 1, 1, 1, 2}), (Texts{"int64", "5", "-7"}));
}

TEST(Aggregate, HasOneNameForEachResult) {
  const auto table = TableMaker(1).fixed<int32_t>("c", Type::Int32, {1}).table();
  const Aggregate sum{Aggregate::Function::Sum, 0};
  const RowBatch results = aggregate(table, {sum, {}});
  ASSERT_EQ(results.rows, 1u);
  EXPECT_EQ((*results.schema)[0].name, "sum(c)");
  EXPECT_EQ((*results.schema)[0].type, Type::Int64);
  EXPECT_EQ((*results.schema)[1].name, "count");
  EXPECT_EQ(test::error_of([&] { aggregate(table, {sum, sum}); }).kind(), ErrorKind::Argument);
}

TEST(Aggregate, NaNsThatAreValuesMakeSumsNaNAndAreNoExtremes) {
  const auto table = TableMaker(3).fixed<double>("c", Type::Float64, {-0.0, kNaN, -0.0}).table();
  const auto all = answers(table, "count(c), sum(c), min(c), max(c), distinct(c)");
  EXPECT_EQ(all, (std::vector<std::string>{"uint64 3", "float64 nan", "float64 0", "float64 0",
                                           "uint64 2"}));
}

TEST(Aggregate, WhereWholeBlocksAreNull) {
  std::vector<int32_t> integers(10'000, INT32_MIN);
  std::vector<float> floats(integers.size(), static_cast<float>(kNaN));
  const auto all = [&] {
    const auto table = TableMaker(integers.size())
                           .fixed("i", Type::Int32, integers, NullEncoding::Sentinel)
                           .fixed("f", Type::Float32, floats, NullEncoding::NaN)
                           .table();
    return answers(table, "sum(i), min(i), max(i), count(i), sum(f), min(f), max(f), count(f)");
  };
  EXPECT_EQ(all(),
            (std::vector<std::string>{"int64 null", "int32 null", "int32 null", "uint64 0",
                                      "float64 null", "float32 null", "float32 null", "uint64 0"}));
  integers[9000] = -7;
  floats[9000] = 2.5F;
  EXPECT_EQ(all(),
            (std::vector<std::string>{"int64 -7", "int32 -7", "int32 -7", "uint64 1", "float64 2.5",
                                      "float32 2.5", "float32 2.5", "uint64 1"}));
}

TEST(Aggregate, OfTypesThatDoNotHaveIt) {
  const auto table = TableMaker(1).texts("t", {"x"}).lists("l", {0, 1}, {1}).table();
  const auto error = [&](std::string_view list) {
    const Error met = test::error_of([&] { parse_aggregates(*table, list); });
    EXPECT_EQ(met.kind(), ErrorKind::Argument);
    return std::string(met.what());
  };
  EXPECT_EQ(error("count, sum(t)"),
            "made.file: aggregates, character 12: values of type text have no sum: "
            "count, sum(^t)");
  EXPECT_EQ(error("Avg( `t` )"),
            "made.file: aggregates, character 6: values of type text have no mean: Avg( ^`t` )");
  EXPECT_EQ(error("min(l)"),
            "made.file: aggregates, character 5: values of type list<int32> have no least and no "
            "greatest: min(^l)");
  EXPECT_EQ(error("distinct(l)"),
            "made.file: aggregates, character 10: values of type list<int32> are not told from "
            "each other: distinct(^l)");
  EXPECT_EQ(answers(table, "count(l)"), std::vector<std::string>{"uint64 1"});
  const Aggregate sum{Aggregate::Function::Sum, 0, "sum(t)"};
  EXPECT_STREQ(test::error_of([&] {
                 aggregate(table, {&sum, 1});
               }).what(),
               "made.file: column \"t\": values of type text have no sum");
}

TEST(Aggregate, IsReadAsItIsWritten) {
  const auto table = TableMaker(1).texts("a name", {"x"}).texts("count", {"y"}).table();
  const auto all = parse_aggregates(*table, " COUNT , max( `a name` ),Count( * ),min(count)");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].name, "COUNT");
  EXPECT_EQ(all[1].name, "max( `a name` )");
  EXPECT_EQ(all[1].column, 0u);
  EXPECT_EQ(all[2].column, std::nullopt);
  EXPECT_EQ(all[3].column, 1u);
}

TEST(Aggregate, HasTheNameBehindAs) {
  const auto table = TableMaker(1).fixed<int32_t>("price", Type::Int32, {1}).table();
  const auto all = parse_aggregates(
      *table, "sum(price) as total, count AS `a``b c`, max(price)as rank, count as over");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].name, "total");
  EXPECT_EQ(all[0].function, Aggregate::Function::Sum);
  EXPECT_EQ(all[1].name, "a`b c");
  EXPECT_EQ(all[2].name, "rank");
  EXPECT_EQ(all[3].name, "over");
  const auto error = [&](std::string_view list) {
    const Error met = test::error_of([&] { parse_aggregates(*table, list); });
    EXPECT_EQ(met.kind(), ErrorKind::Argument);
    return std::string(met.message());
  };
  constexpr std::string_view kExpected = "a name behind as, in backticks if it is several words";
  EXPECT_EQ(error("count as"),
            concat("aggregates, character 9: expected ", kExpected, ", got the end: count as^"));
  EXPECT_EQ(error("count as ``"),
            concat("aggregates, character 10: expected ", kExpected, ": count as ^``"));
  EXPECT_EQ(error("count as null"), concat("aggregates, character 10: expected ", kExpected,
                                           ", got \"null\": count as ^null"));
  EXPECT_EQ(error("count as n m"),
            "aggregates, character 12: expected a comma or the end, got \"m\": count as n ^m");
}

TEST(Aggregate, NamesAreUnique) {
  const auto table = TableMaker(1).fixed<int32_t>("n", Type::Int32, {1}).table();
  const auto error = [&](std::string_view list) {
    return std::string(test::error_of([&] { parse_aggregates(*table, list); }).what());
  };
  constexpr std::string_view kText =
      "two columns of the result are named \"count\"; `as NAME` behind an aggregate gives it "
      "another "
      "name: ";
  EXPECT_EQ(error("count, count"),
            concat("made.file: aggregates, character 8: ", kText, "count, ^count"));
  EXPECT_EQ(error("sum(n) as count, count"),
            concat("made.file: aggregates, character 18: ", kText, "sum(n) as count, ^count"));
  EXPECT_EQ(parse_aggregates(*table, "count, count(n), count as n, COUNT").size(), 4u);
}

TEST(Aggregate, SaysWhereItIsNotTheLanguage) {
  const auto table = TableMaker(1).fixed<int32_t>("price", Type::Int32, {1}).table();
  const auto error = [&](std::string_view list) {
    const std::string text = test::error_of([&] { parse_aggregates(*table, list); }).what();
    return text.substr(std::min(text.size(), text.find(", ") + 2));
  };
  EXPECT_EQ(
      error(""),
      "character 1: expected count, sum, min, max, mean, distinct, approx_distinct, quantile, "
      "variance, stddev, first, last, count_null, mode, count_if, any_value, bool_and, bool_or, "
      "avg or median, got the end: ^");
  EXPECT_EQ(error("sum"),
            "character 4: expected ( and a column or an expression behind sum, got the end: sum^");
  EXPECT_EQ(error("sum(*)"),
            "character 5: expected a column or an expression, got \"*\": sum(^*)");
  EXPECT_EQ(error("sum(price"), "character 10: expected ), got the end: sum(price^");
  EXPECT_EQ(error("count price"),
            "character 7: expected a comma or the end, got \"price\": count ^price");
  EXPECT_NE(error("max(pric)").find("did you mean \"price\"?: max(^pric)"), std::string::npos);
  for (const char* list : {"sum(price) group by x", "rank() over ()", "count order by price",
                           "lag(price)", "sum(price) OVER (x)"}) {
    EXPECT_NE(error(list).find("is for DuckDB or Polars"), std::string::npos) << list;
  }
}

}  // namespace
}  // namespace heron
