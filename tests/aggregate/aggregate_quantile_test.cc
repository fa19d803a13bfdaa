// Quantiles, distinct values and their estimates: definitions, budgets, threads, joined files.
#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <set>

#include "base/fail.h"
#include "base/hints.h"
#include "error_of.h"
#include "heron/aggregate.h"
#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "kit/result_of.h"
#include "kit/special_numbers.h"
#include "temp_folder.h"

namespace heron {
namespace {

using testing::HasSubstr;

Scalar answer(const std::shared_ptr<const Table>& table, std::string_view list,
              const Context& context = {}, const std::string& where = {}) {
  Query query(table);
  if (!where.empty()) query.where = where;
  const auto answers = aggregate(query, parse_aggregates(*table, list), context);
  return result_of(answers, 0);
}
template <class T>
Scalar answer_of(Type type, const std::vector<T>& cells, std::string_view list,
                 NullEncoding nulls = NullEncoding::Never) {
  return answer(TableMaker(cells.size()).fixed("c", type, cells, nulls).table(), list);
}

TEST(Quantile, OfNumbersIsInterpolated) {
  const std::vector<int32_t> cells = {40, 10, 30, 20};
  const std::vector<std::pair<double, double>> expected = {{0, 10},   {0.25, 17.5}, {0.5, 25},
                                                           {0.9, 37}, {1, 40},      {1.0 / 3, 20}};
  for (const auto& [q, value] : expected) {
    EXPECT_EQ(answer_of(Type::Int32, cells, concat("quantile(c, ", q, ")")), Scalar(value)) << q;
  }
  EXPECT_EQ(answer_of(Type::Int32, cells, "MEDIAN(c)"), Scalar(25.0));
  EXPECT_EQ(answer_of(Type::UInt64, std::vector{UINT64_MAX}, "median(c)"), Scalar(0x1p64));
  EXPECT_EQ(answer_of(Type::Float64, std::vector{-1e308, 1e308}, "median(c)"), Scalar(0.0));
  EXPECT_EQ(answer_of(Type::Float64, std::vector{kInfinity, kInfinity}, "median(c)"),
            Scalar(kInfinity));
  EXPECT_EQ(answer_of(Type::Float32, std::vector{1.5F}, "quantile(c, 0.3)"), Scalar(1.5));
}

TEST(Quantile, LeavesOutNullsAndNaNs) {
  const std::vector<double> cells = {kNaN, 3, kNaN, -0.0, 5, kNaN};
  for (const auto nulls : {NullEncoding::Never, NullEncoding::NaN}) {
    EXPECT_EQ(answer_of(Type::Float64, cells, "median(c)", nulls), Scalar(3.0));
    EXPECT_FALSE(
        std::signbit(std::get<double>(answer_of(Type::Float64, cells, "quantile(c, 0)", nulls))));
  }
  EXPECT_EQ(answer_of<int16_t>(Type::Int16, {INT16_MIN, 4, INT16_MIN, 6}, "median(c)",
                               NullEncoding::Sentinel),
            Scalar(5.0));
  EXPECT_EQ(answer_of<double>(Type::Float64, {kNaN}, "median(c)"), Scalar());
  EXPECT_EQ(answer_of<int32_t>(Type::Int32, {}, "median(c)"), Scalar());
}

TEST(Quantile, OfDatesIsOneOfThem) {
  const std::vector<int32_t> days = {400, 100, 300, 200};
  const std::vector<std::pair<double, int64_t>> expected = {{0, 100},   {0.25, 100}, {0.26, 200},
                                                            {0.5, 200}, {0.51, 300}, {1, 400}};
  for (const auto& [q, value] : expected) {
    const auto table = TableMaker(4).fixed("c", Type::Date32, days).table();
    const auto answers = aggregate(table, parse_aggregates(*table, concat("quantile(c, ", q, ")")));
    EXPECT_EQ(result_of(answers, 0), Scalar(value)) << q;
    EXPECT_EQ(answers.columns[0].type, Type::Date32);
  }
  // The product 0.07 * 100 exceeds 7 in float64.
  std::vector<int64_t> many(100);
  for (int64_t i = 0; i < 100; ++i) many[static_cast<size_t>(i)] = i + 1;
  EXPECT_EQ(answer_of(Type::Duration, many, "quantile(c, 0.07)"), Scalar(int64_t{7}));
}

TEST(Quantile, IsRefusedWithACaret) {
  const auto table = TableMaker(1)
                         .fixed<int32_t>("c", Type::Int32, {1})
                         .texts("t", {"x"})
                         .bits("b", {true})
                         .table();
  const auto error = [&](std::string_view list) {
    const Error met = test::error_of([&] { parse_aggregates(*table, list); });
    EXPECT_EQ(met.kind(), ErrorKind::Argument);
    return std::string(met.what()).substr(std::string_view("made.file: aggregates, ").size());
  };
  EXPECT_EQ(error("quantile(c)"),
            "character 11: expected a comma and a number from 0 to 1, as in "
            "quantile(x, 0.9), got \")\": quantile(c^)");
  EXPECT_EQ(error("quantile(c, 1.5)"),
            "character 13: expected a number from 0 to 1, as in "
            "quantile(x, 0.9), got 1.5: quantile(c, ^1.5)");
  EXPECT_THAT(error("quantile(c, -0.5)"), HasSubstr("quantile(c, ^-0.5)"));
  EXPECT_THAT(error("quantile(c, half)"), HasSubstr("quantile(c, ^half)"));
  EXPECT_THAT(error("median(c, 0.5)"), HasSubstr("character 9: expected )"));
  EXPECT_THAT(error("median(t)"), HasSubstr("values of type text have no quantiles: median(^t)"));
  EXPECT_THAT(error("median(b)"), HasSubstr("values of type bool have no quantiles"));
  EXPECT_THAT(error("approx_distinct()"), HasSubstr("expected a column"));
  Aggregate wrong{.function = Aggregate::Function::Quantile, .column = 0, .quantile = kNaN};
  EXPECT_EQ(test::error_of([&] { aggregate(table, {&wrong, 1}); }).kind(), ErrorKind::Argument);
}

constexpr uint64_t kValueRows = 700'001;

// Returns a table of `n`, all distinct, `f` of 70,001 values with NaNs, `t` of 5,000 texts with
// nulls.
std::shared_ptr<const Table> many_values() {
  std::mt19937_64 random(11);
  std::vector<int64_t> n(kValueRows);
  std::vector<double> f(kValueRows);
  std::vector<std::optional<std::string>> t(kValueRows);
  for (uint64_t row = 0; row < kValueRows; ++row) {
    n[row] = static_cast<int64_t>(row * 2654435761 % 1'000'000'007);
    f[row] = row % 1000 == 3 ? kNaN : static_cast<double>(row * 7919 % 70'001) / 8;
    if (row % 17 != 0) t[row] = std::to_string(random() % 5000);
  }
  return TableMaker(kValueRows)
      .fixed("n", Type::Int64, n)
      .fixed("f", Type::Float64, f)
      .texts("t", t)
      .table();
}

TEST(Distinct, IsExactBeyondAnyCapAndTheSameOnAnyThreads) {
  const auto table = many_values();
  const std::string list =
      "distinct(n), distinct(f), distinct(t), approx_distinct(n), approx_distinct(f), "
      "approx_distinct(t), median(n), quantile(f, 0.9), quantile(n, 0.25), median(f)";
  for (const char* where : {"", "f > 100"}) {
    std::vector<std::vector<Scalar>> all;
    for (const unsigned threads : {1, 2, 4}) {
      if (kIsSanitized && threads == 2) continue;
      Query query(table);
      if (*where != 0) query.where = where;
      all.emplace_back();
      const auto aggregates = parse_aggregates(*table, list);
      const RowBatch results = aggregate(query, aggregates, on_threads(threads));
      for (uint64_t i = 0; i < aggregates.size(); ++i) all.back().push_back(result_of(results, i));
    }
    for (const auto& others : all) EXPECT_EQ(others, all[0]) << where;
    if (*where != 0) continue;
    EXPECT_EQ(all[0][0], Scalar(kValueRows));
    EXPECT_EQ(all[0][1], Scalar(uint64_t{70'002}));
    EXPECT_EQ(all[0][2], Scalar(uint64_t{5000}));
    for (int i = 0; i < 3; ++i) {
      const auto exact = static_cast<double>(std::get<uint64_t>(all[0][i]));
      EXPECT_NEAR(static_cast<double>(std::get<uint64_t>(all[0][3 + i])), exact, exact * 0.03);
      EXPECT_NE(all[0][3 + i], all[0][i]) << "an estimate";
    }
  }
}

TEST(Distinct, SpillsBeyondTheBudgetAndStaysExact) {
  const auto table = many_values();
  for (const unsigned threads : {1, 4}) {
    for (const uint64_t budget : {8, 64}) {
      if (threads == 4 && budget == 8) continue;  // each range of rows has a set of its own
      Context context = on_threads(threads);
      context.memory = std::make_shared<MemoryBudget>(budget << 20);
      const auto aggregates = parse_aggregates(*table, "distinct(n), distinct(t), distinct(f)");
      const auto found = aggregate(table, aggregates, context);
      EXPECT_EQ(result_of(found, 0), Scalar(kValueRows)) << budget;
      EXPECT_EQ(result_of(found, 1), Scalar(uint64_t{5000}));
      EXPECT_EQ(result_of(found, 2), Scalar(uint64_t{70'002}));
      EXPECT_EQ(context.memory->used(), 0u);
    }
  }
}

TEST(Quantile, HoldsNoMoreThanTheBudgetAndSaysWhatHelps) {
  const auto table = many_values();
  for (const unsigned threads : {1, 4}) {
    Context context = on_threads(threads);
    context.memory = std::make_shared<MemoryBudget>(5 << 20);
    const Error error =
        test::error_of([&] { answer(table, "count(t), distinct(t), median(n)", context); });
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_STREQ(error.hint(), hint::kMemory);
    EXPECT_STREQ(error.what(),
                 "made.file: column \"n\": values of a quantile are more than the memory budget of "
                 "5242880 bytes holds");
    EXPECT_EQ(context.memory->used(), 0u);
    EXPECT_NO_THROW(answer(table, "approx_distinct(n)", context));
    EXPECT_NO_THROW(answer(table, "median(n)", context, "n < 1000000"));
    Query query(table);
    query.by = {"t"};
    const Error of_groups =
        test::error_of([&] { group_by(query, parse_aggregates(*table, "median(n)"), context); });
    EXPECT_EQ(of_groups.kind(), ErrorKind::Limit);
    EXPECT_THAT(of_groups.what(), HasSubstr("memory budget of 5242880 bytes"));
  }
}

TEST(Distinct, OfSummariesIsEstimatedWhereTheBudgetHoldsNoMore) {
  const auto table = many_values();
  std::vector<ColumnStats> one;
  for (const unsigned threads : {1, 3}) {
    for (const bool filtered : {false, true}) {
      Context context = on_threads(threads);
      context.memory = std::make_shared<MemoryBudget>(24 << 20);  // a column has 4 MiB
      std::optional<Predicate> where;
      if (filtered) where.emplace(table, "n >= 0");
      const auto all = stats(Query(table, where), context);
      EXPECT_FALSE(all[0].distinct_is_exact);
      EXPECT_NEAR(static_cast<double>(*all[0].distinct), double{kValueRows}, kValueRows * 0.03);
      EXPECT_TRUE(all[1].distinct_is_exact);
      EXPECT_EQ(all[1].distinct, 70'002u);
      EXPECT_EQ(all[2].distinct, 5000u);
      if (one.empty()) one = all;
      EXPECT_EQ(all[0].distinct, one[0].distinct) << threads << filtered;
    }
  }
  EXPECT_EQ(stats(table).front().distinct, kValueRows);
}

TEST(Distinct, ValuesOfNaNsAndZerosAlsoEstimated) {
  const std::vector<double> cells = {kNaN, 0.0, -0.0, -kNaN, 1};
  for (const char* list : {"distinct(c)", "approx_distinct(c)"}) {
    EXPECT_EQ(answer_of(Type::Float64, cells, list), Scalar(uint64_t{3})) << list;
    EXPECT_EQ(answer_of(Type::Float64, cells, list, NullEncoding::NaN), Scalar(uint64_t{2}));
    const auto table =
        TableMaker(5)
            .bits("b", {true, true, false, true, true}, {true, true, false, true, true})
            .table();
    EXPECT_EQ(answer(table, std::string(list).replace(std::string(list).find("(c)"), 3, "(b)")),
              Scalar(uint64_t{1}));
  }
}

TEST(Distinct, OfJoinedFilesAndOfGroups) {
  const auto table = many_values();
  const test::TempFolder folder;
  const std::string path = folder / "many.jay";
  {
    const Projection all(table);
    const auto writer = create(path, *all.schema());
    writer->write(read(all, {0, 100'001}));
    writer->close();
    writer->publish();
  }
  const auto one = open(path);
  const auto two = open(std::vector<std::string>{path, path});
  for (const char* list : {"distinct(n)", "approx_distinct(n)", "approx_distinct(t)",
                           "quantile(f, 0)", "quantile(f, 1)", "distinct(t)"}) {
    for (const unsigned threads : {1, 4}) {
      EXPECT_EQ(answer(two->table(), list, on_threads(threads)), answer(one->table(), list))
          << list;
    }
    const auto aggregates = parse_aggregates(*two->table(), list);
    const auto groups = [&](const auto& data, unsigned threads) {
      Query query(data->table());
      query.by = {"t"};
      return group_by(query, aggregates, on_threads(threads));
    };
    const RowBatch of_one = groups(one, 1), of_two = groups(two, 4);
    ASSERT_EQ(of_two.rows, of_one.rows);
    const uint64_t bytes = of_one.columns[1].data.bytes;
    EXPECT_EQ(0, std::memcmp(of_one.columns[1].data.data, of_two.columns[1].data.data, bytes));
  }
}

}  // namespace
}  // namespace heron
