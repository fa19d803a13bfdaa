// Every function has the same results on columns of each kind without groups, in one group, and
// merged from parts, serialized or not.
#include "aggregate/functions/function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "aggregate/aggregates.h"
#include "base/fail.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "shown_answers.h"
#include "table/internals.h"

namespace heron {
namespace {

constexpr uint64_t kKindRows = 20'000;

std::shared_ptr<const Table> table_of_kinds() {
  std::vector<int32_t> one(kKindRows, 1), k, day;
  std::vector<double> f;
  std::vector<float> g;
  std::vector<uint64_t> u;
  std::vector<bool> flag;
  std::vector<std::optional<std::string>> t;
  for (uint64_t row = 0; row < kKindRows; ++row) {
    k.push_back(static_cast<int32_t>(row * 7919 % 10'007) - 5'000);
    day.push_back(static_cast<int32_t>(row % 3'000));
    f.push_back(row % 89 == 0 ? std::nan("") : 1e6 + static_cast<double>(row * 31 % 1'009) / 8);
    g.push_back(static_cast<float>(row % 513) / 4);
    u.push_back(row * row);
    flag.push_back(row % 3 == 0);
    t.push_back(row % 11 == 0 ? std::nullopt : std::optional("text " + std::to_string(row % 700)));
  }
  return TableMaker(kKindRows)
      .fixed("one", Type::Int32, one)
      .fixed("k", Type::Int32, k)
      .fixed("day", Type::Date32, day)
      .fixed("f", Type::Float64, f, NullEncoding::NaN)
      .fixed("g", Type::Float32, g)
      .fixed("u", Type::UInt64, u)
      .bits("flag", flag)
      .texts("t", t)
      .null("nothing")
      .table();
}

std::vector<Aggregate> all_functions(const Table& table) {
  std::vector<Aggregate> all{{Aggregate::Function::Count, std::nullopt, "rows"}};
  for (uint64_t i = 0; i < aggregate_functions().size(); ++i) {
    const auto function = static_cast<Aggregate::Function>(i);
    for (uint64_t column = 0; column < table.column_count(); ++column) {
      if (!why_not(function, internals(table).column(column).type()).empty()) continue;
      all.push_back({function, column});
    }
  }
  return all;
}

TEST(AggregateFunctions, GiveTheSameInEveryWay) {
  const auto table = table_of_kinds();
  const std::vector<Aggregate> aggregates = all_functions(*table);
  for (const std::string where : {"", "k < 0", "k = 17", "k > 100000"}) {
    Query query(table);
    if (!where.empty()) query.where = where;
    const RowBatch expected = aggregate(query, aggregates, on_threads(1));
    EXPECT_EQ(shown(aggregate(query, aggregates, on_threads(4))), shown(expected));

    // The parts are appended without serialization.
    std::optional<PartialAggregate> parts, of_groups;
    for (const auto& [first, last] :
         {std::pair<uint64_t, uint64_t>{0, 5'000}, {5'000, 12'288}, {12'288, kKindRows}}) {
      Query part = query;
      part.range = RowRange{first, last};
      PartialAggregate next(part, aggregates, {0, kKindRows});
      parts ? parts->append(next) : void(parts.emplace(std::move(next)));
      part.by = {"one"};
      PartialAggregate next_groups(part, aggregates, {0, kKindRows});
      of_groups ? of_groups->append(next_groups) : void(of_groups.emplace(std::move(next_groups)));
    }
    for (int times = 0; times < 2; ++times) {  // a result changes nothing
      EXPECT_EQ(shown(parts->result()), shown(expected)) << where;
      EXPECT_EQ(shown(PartialAggregate(parts->bytes()).result()), shown(expected)) << where;
    }

    Query grouped = query;
    grouped.by = {"one"};
    const RowBatch groups = group_by(grouped, aggregates, on_threads(4));
    if (groups.rows == 0) continue;
    for (int times = 0; times < 2; ++times) {
      const RowBatch merged = of_groups->result();
      const RowBatch loaded = PartialAggregate(of_groups->bytes()).result();
      for (uint64_t i = 0; i < aggregates.size(); ++i) {
        SCOPED_TRACE((*groups.schema)[i + 1].name + " where " + where);
        EXPECT_EQ(shown(merged.columns[i + 1], 0), shown(groups.columns[i + 1], 0));
        EXPECT_EQ(shown(loaded.columns[i + 1], 0), shown(groups.columns[i + 1], 0));
        const bool is_sum = aggregates[i].function == Aggregate::Function::Sum ||
                            aggregates[i].function == Aggregate::Function::Mean;
        // Sums of floats without groups are in the order of sum_order.h.
        if (is_sum && internals(*table).column(*aggregates[i].column).type().is_float()) continue;
        EXPECT_EQ(shown(groups.columns[i + 1], 0), shown(expected.columns[i], 0));
        EXPECT_EQ(groups.columns[i + 1].type, expected.columns[i].type);
      }
    }
  }
}

TEST(AggregateFunctions, AreParsedByTheirNames) {
  const auto table = table_of_kinds();
  for (const AggregateFunction* function : aggregate_functions()) {
    EXPECT_NE(aggregates_usage().find(function->name), std::string::npos);
    const bool is_of_bools = !function->accepts(Type::Int32);
    std::string text = concat(function->name, is_of_bools ? "(flag)" : "(k)");
    if (function->name == "quantile") text = "quantile(k, 0.5)";
    const auto parsed = parse_aggregates(*table, text);
    ASSERT_EQ(parsed.size(), 1u);
    EXPECT_EQ(&function_of(parsed[0].function), function);
    if (function->alias.empty()) continue;
    EXPECT_EQ(parse_aggregates(*table, concat(function->alias, "(k)"))[0].function,
              parsed[0].function);
  }
}

TEST(Mode, IsTheMostFrequentValueOrTheFirstOfThose) {
  const auto table = TableMaker(6)
                         .texts("t", {"b", "a", std::nullopt, std::nullopt, std::nullopt, "a"})
                         .fixed<double>("f", Type::Float64, {0.0, NAN, 2, -0.0, NAN, 1})
                         .fixed<int8_t>("i", Type::Int8, {-3, 4, 5, 6, -3, 4})
                         .bits("b", {false, true, true, false, true, false})
                         .fixed<int32_t>("d", Type::Date32, {7, 8, 8, 9, 9, 9})
                         .null("nothing")
                         .fixed<int32_t>("n", Type::Int32, {1, 2, 3, 4, 5, 6})
                         .table();
  EXPECT_EQ(answers(table, "mode(t), mode(f), mode(i), mode(b), mode(d), mode(nothing)"),
            (std::vector<std::string>{"text a", "float64 0", "int8 -3", "bool false",
                                      "date32 9", "null null"}));
  EXPECT_EQ(answers(table, "mode(t), mode(i)", "n < 3"),
            (std::vector<std::string>{"text b", "int8 -3"}));
  EXPECT_EQ(answers(table, "mode(t)", "n > 9"), std::vector<std::string>{"text null"});
}

TEST(BoolFunctions, LeaveOutNulls) {
  const auto table = TableMaker(4)
                         .bits("b", {true, false, true, false}, {true, true, false, false})
                         .bits("yes", {true, true, true, true})
                         .fixed<int32_t>("k", Type::Int32, {1, 2, 3, 4})
                         .table();
  constexpr std::string_view kAll = "count_if(b), bool_and(b), bool_or(b), bool_and(yes)";
  EXPECT_EQ(answers(table, kAll),
            (std::vector<std::string>{"uint64 1", "bool false", "bool true", "bool true"}));
  EXPECT_EQ(answers(table, kAll, "k > 2"),
            (std::vector<std::string>{"uint64 0", "bool null", "bool null", "bool true"}));
  EXPECT_EQ(answers(table, "any_value(b), any_value(k)", "k > 1"),
            (std::vector<std::string>{"bool false", "int32 2"}));
}

TEST(Variance, OfASampleWithALargeMean) {
  const auto table =
      TableMaker(3)
          .fixed<double>("f", Type::Float64, {1e9 + 1, 1e9 + 2, 1e9 + 3})
          .fixed<int64_t>("i", Type::Int64, {1'000'000'001, 1'000'000'002, 1'000'000'004})
          .fixed<double>("x", Type::Float64, {1e15 + 1, 1e15 + 2, 1e15 + 3})
          .fixed<double>("same", Type::Float64, {0.1, 0.1, 0.1})
          .fixed<double>("wide", Type::Float64, {1e100, 1, -1e-100})
          .fixed<double>("huge", Type::Float64, {1e200, 1, 1})
          .fixed<float>("holes", Type::Float32, {1, NAN, 2})
          .table();
  EXPECT_EQ(answers(table, "variance(f), stddev(f), variance(i), stddev(x), variance(same)"),
            (std::vector<std::string>{"float64 1", "float64 1", "float64 2.3333333333333335",
                                      "float64 1", "float64 0"}));
  const auto found =
      aggregate(table, parse_aggregates(*table, "variance(wide), variance(huge), stddev(holes)"));
  EXPECT_NEAR(as_double(found.columns[0]), 1e200 / 3, 1e185);
  EXPECT_TRUE(std::isnan(as_double(found.columns[1])));
  EXPECT_TRUE(std::isnan(as_double(found.columns[2])));
  EXPECT_EQ(answers(table, "var_samp(f), stddev_samp(f), first(f)", "f > 1000000002"),
            (std::vector<std::string>{"float64 null", "float64 null", "float64 1000000003"}));
}

// Columns are summed four values at once, groups one after the other.
TEST(Variance, OfAColumnIsThatOfItsOnlyGroup) {
  constexpr uint64_t kRows = 4'099;
  std::mt19937_64 random(11);
  const auto value = [&](int exponents) {
    const auto exponent = static_cast<int>(random() % (2 * static_cast<uint64_t>(exponents) + 1));
    return std::ldexp(static_cast<double>(random() % 2'000'003) - 1e6, exponent - exponents);
  };
  for (const int often : {0, 1, 50}) {  // values in a hundred that lanes are not exact for
    std::vector<double> f(kRows);
    for (double& one : f) {
      one = 1e9 + value(static_cast<int>(random() % 100) < often ? 480 : 8) / 1e6;
    }
    const auto table = TableMaker(kRows)
                           .fixed("one", Type::Int32, std::vector<int32_t>(kRows, 1))
                           .fixed("f", Type::Float64, f)
                           .table();
    const auto aggregates = parse_aggregates(*table, "variance(f)");
    Query query(table);
    query.by = std::vector<std::string>{"one"};
    const RowBatch groups = group_by(query, aggregates);
    EXPECT_EQ(as_double(aggregate(table, aggregates).columns[0]), as_double(groups.columns[1]))
        << often;
  }
}

TEST(FirstAndLast, AreOfRowsWithNulls) {
  const auto table = TableMaker(4)
                         .texts("t", {std::nullopt, "a", "b", std::nullopt})
                         .fixed<int32_t>("k", Type::Int32, {4, 3, 2, 1})
                         .table();
  EXPECT_EQ(answers(table, "first(t), last(t), first(k), last(k), count_null(t), count_null(k)"),
            (std::vector<std::string>{"text null", "text null", "int32 4", "int32 1", "uint64 2",
                                      "uint64 0"}));
  EXPECT_EQ(answers(table, "first(t), last(t), last(k), count_null(t)", "k < 4 and k > 1"),
            (std::vector<std::string>{"text a", "text b", "int32 2", "uint64 0"}));
}

}  // namespace
}  // namespace heron
