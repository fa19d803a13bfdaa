// Aggregates of expressions and with filters equal aggregates of columns that hold the same values.
#include <gtest/gtest.h>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "shown_answers.h"

namespace heron {
namespace {

std::shared_ptr<const Table> orders() {
  return TableMaker(5)
      .fixed<double>("price", Type::Float64, {2.5, 1.5, NAN, 10, 3}, NullEncoding::NaN)
      .fixed<float>("weight", Type::Float32, {0.1F, 0.2F, 0.3F, 0.4F, 0.5F})
      .fixed<int32_t>("qty", Type::Int32, {4, INT32_MIN, 2, 1, 3}, NullEncoding::Sentinel)
      .texts("city", {"Oslo", "Rome", "Oslo", std::nullopt, "Rome"})
      .bits("ok", {true, false, true, true, false})
      .fixed<int32_t>("d", Type::Date32, {19782, 19783, 20089, 20240, 20241})
      .lists("l", {0, 1, 1, 2, 2, 3}, {7, 8, 9})
      .fixed<int32_t>("distinct", Type::Int32, {1, 1, 2, 2, 2})
      .table();
}

std::string one(std::string_view list) {
  std::string all;
  for (const std::string& answer : answers(orders(), list)) {
    all += (all.empty() ? "" : ", ") + answer;
  }
  return all;
}

TEST(ComputedAggregates, OfExpressions) {
  EXPECT_EQ(one("sum(price * qty), avg(abs(price - 3))"), "float64 29, float64 2.25");
  EXPECT_EQ(one("max(upper(city)), min(length(city)), count(qty + 1)"),
            "text ROME, int64 4, uint64 4");
  EXPECT_EQ(one("count(price > 2), sum(price > 2), bool_or(price > 9 and ok)"),
            "uint64 4, int64 3, bool true");
  EXPECT_EQ(one("max(year(d)), quantile(qty * 2, 0.5), count_if(city = 'Oslo')"),
            "int64 2025, float64 5, uint64 2");
  EXPECT_EQ(one("count(1), sum(2)"), "uint64 5, int64 10");
  EXPECT_EQ(one("count(distinct city), count(distinct lower(city)), count(distinct)"),
            "uint64 2, uint64 2, uint64 5");
  EXPECT_EQ(one("first(price * 2), last(qty - 1), count_null(price + qty)"),
            "float64 5, int64 2, uint64 2");
}

TEST(ComputedAggregates, WithFilters) {
  EXPECT_EQ(one("count(*) filter (where qty > 1), count filter (where ok)"), "uint64 3, uint64 3");
  EXPECT_EQ(one("count(price) filter (where ok), count_null(price) filter (where ok)"),
            "uint64 2, uint64 1");
  EXPECT_EQ(one("count(l) filter (where ok), count_null(city) filter (where ok or qty = 2)"),
            "uint64 3, uint64 1");
  EXPECT_EQ(one("sum(price * qty) filter (where ok and city is not null)"), "float64 10");
  EXPECT_EQ(one("sum(price) filter (where qty > 100)"), "float64 null");
  EXPECT_EQ(one("max(weight) filter (where ok), min(d) FILTER (WHERE d > '2025-01-01')"),
            "float32 0.4000000059604645, date32 20240");
  EXPECT_EQ(one("any_value(city) filter (where qty is null), mode(qty) filter (where qty < 3)"),
            "text Rome, int32 2");
  EXPECT_EQ(one("count_if(ok) filter (where qty > 1), median(qty) filter (where qty > 1)"),
            "uint64 2, float64 3");
}

TEST(ComputedAggregates, AreNamedByTheirText) {
  const auto parsed = parse_aggregates(
      *orders(), "sum( price*qty ), count(*)filter(where ok), min(qty + 1) filter (where ok) as m");
  ASSERT_EQ(parsed.size(), 3u);
  EXPECT_EQ(parsed[0].name, "sum( price*qty )");
  EXPECT_EQ(parsed[0].expression, "price*qty");
  EXPECT_EQ(parsed[0].column, std::nullopt);
  EXPECT_EQ(parsed[1].name, "count(*)filter(where ok)");
  EXPECT_EQ(parsed[1].filter, "ok");
  EXPECT_EQ(parsed[2].name, "m");
  Aggregate sum{.function = Aggregate::Function::Sum, .expression = "qty + 1", .filter = "ok"};
  Aggregate least{.function = Aggregate::Function::Min, .column = 2, .filter = "ok"};
  const RowBatch batch = aggregate(orders(), {sum, least});
  EXPECT_EQ((*batch.schema)[0].name, "sum(qty + 1) filter (where ok)");
  EXPECT_EQ((*batch.schema)[1].name, "min(qty) filter (where ok)");
  EXPECT_EQ(shown(batch), (std::vector<std::string>{"int64 10", "int32 1"}));
}

TEST(ComputedAggregates, OfGroups) {
  for (const unsigned threads : {1U, 4U}) {
    Query query(orders());
    query.by = {"year(d) as y"};
    query.order = {{"y", Descending}};
    query.where = "qty is not null or price > 1";
    const RowBatch groups = group_by(
        query,
        parse_aggregates(*query.table, "sum(qty * 2) as s, sum(qty * 2) filter (where ok) as f, "
                                       "count(*) filter (where city = 'Oslo') as n, mode(city)"),
        on_threads(threads));
    ASSERT_EQ(groups.rows, 2u);
    EXPECT_EQ((*groups.schema)[0].name, "y");
    EXPECT_EQ(shown(groups.columns[1], 0), "12");
    EXPECT_EQ(shown(groups.columns[2], 0), "6");
    EXPECT_EQ(shown(groups.columns[3], 1), "1");
    EXPECT_EQ(shown(groups.columns[4], 1), "Oslo");
  }
}

TEST(ComputedAggregates, RefuseWhatIsWrong) {
  const auto table = orders();
  const auto error = [&](std::string_view list) {
    const std::string text =
        test::error_of(ErrorKind::Argument, [&] { parse_aggregates(*table, list); });
    return text.substr(std::min(text.size(), text.find(", ") + 2));
  };
  EXPECT_EQ(error("sum(price *)"),
            "character 12: expected a name, a value or a predicate in brackets, got \")\": "
            "sum(price *^)");
  EXPECT_EQ(error("sum(upper(city))"),
            "character 5: values of type text have no sum: sum(^upper(city))");
  EXPECT_EQ(error("count_if(qty)"),
            "character 10: values of type int32 are not true or false: count_if(^qty)");
  EXPECT_EQ(error("sum(qty) filter (where qty)"),
            "character 24: expected a predicate, got \"qty\" (int32): sum(qty) filter (where "
            "^qty)");
  EXPECT_EQ(error("sum(qty) filter (ok)"),
            "character 18: expected where and a predicate, got \"ok\": sum(qty) filter (^ok)");
  EXPECT_EQ(error("first(qty) filter (where ok)"),
            "character 12: first and last take no filter; any_value(x) is the first value that is "
            "not null: first(qty) ^filter (where ok)");
  const auto refused = [&](const Aggregate& invalid) {
    return test::error_of(ErrorKind::Argument, [&] { aggregate(table, {invalid}); });
  };
  using Function = Aggregate::Function;
  EXPECT_EQ(refused({.function = Function::Sum, .column = 0, .name = "s", .expression = "qty"}),
            "made.file: the aggregate \"s\" has a column and an expression");
  EXPECT_EQ(refused({.function = Function::Last, .column = 0, .filter = "ok"}),
            "made.file: first and last take no filter; any_value(x) is the first value that is not "
            "null");
  // The filter is parsed by itself, not joined with the text around it.
  EXPECT_EQ(refused({.function = Function::Sum, .column = 0, .filter = "ok then 1 when ok"}),
            "made.file: predicate, character 4: expected and, or, or the end, got \"then\": ok "
            "^then 1 when ok");
  EXPECT_EQ(refused({.function = Function::Sum, .expression = "1 end, 2"}),
            "made.file: expression, character 3: expected as, an operator, or the end, got "
            "\"end\": 1 ^end, 2");
}

}  // namespace
}  // namespace heron
