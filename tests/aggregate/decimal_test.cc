// Decimals and binary in predicates, expressions, aggregates, groups and orders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/int128.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "values/decimals.h"

namespace heron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

WideInteger wide(Int128 units) {
  return {static_cast<uint64_t>(units), static_cast<int64_t>(units >> 64)};
}

// price: 1.50 - -0.25 0.10 1.50 99.99   whole: the greatest, its negative, 5 - 0 -1   row: 0 to 5
const std::shared_ptr<const Table>& table() {
  static const auto made = [] {
    constexpr auto kBitmap = NullEncoding::Bitmap;
    const Int128 most = kPowersOfTen[38] - 1;
    TableMaker maker(6);
    maker.fixed<WideInteger>("price", Type::decimal(10, 2),
                             {wide(150), wide(0), wide(-25), wide(10), wide(150), wide(9999)},
                             kBitmap, {true, false, true, true, true, true});
    maker.fixed<WideInteger>("whole", Type::decimal(38, 0),
                             {wide(most), wide(-most), wide(5), wide(0), wide(0), wide(-1)},
                             kBitmap, {true, true, true, false, true, true});
    maker.fixed<int64_t>("row", Type::Int64, {0, 1, 2, 3, 4, 5}, NullEncoding::Never);
    return maker.table();
  }();
  return made;
}

uint64_t rows_where(const std::string& text) {
  const Predicate predicate(table(), text);
  return count(predicate);
}

std::string result_of(const std::string& aggregate, const std::string& where = "") {
  Query query(table());
  if (!where.empty()) query.where = Predicate(table(), where);
  const RowBatch row = heron::aggregate(query, parse_aggregates(*table(), aggregate));
  return row.columns[0].type.name() + ' ' + to_text(row.columns[0], 0);
}

TEST(DecimalPredicates, CompareLiteralsAsTheyAreWritten) {
  EXPECT_EQ(rows_where("price = 1.5"), 2u);
  EXPECT_EQ(rows_where("1.50 = price"), 2u);
  EXPECT_EQ(rows_where("price = 0.1"), 1u);
  EXPECT_EQ(rows_where("price = 1.501"), 0u);
  EXPECT_EQ(rows_where("price != 1.501"), 5u);
  EXPECT_EQ(rows_where("price > 1.499999999999999999999999999999999999999999999"), 3u);
  EXPECT_EQ(rows_where("price >= 1.500000000000000000000000000000000000000000001"), 1u);
  EXPECT_EQ(rows_where("price < 0"), 1u);
  EXPECT_EQ(rows_where("price <= -0.25"), 1u);
  EXPECT_EQ(rows_where("price in (1.5, 0.1, 7, null)"), 3u);
  EXPECT_EQ(rows_where("price not in (1.5, 0.1)"), 2u);
  EXPECT_EQ(rows_where("price between -1 and 1.5"), 4u);
  EXPECT_EQ(rows_where("price is null"), 1u);
  EXPECT_EQ(rows_where("price = nan"), 0u);
  EXPECT_EQ(rows_where("price < inf"), 5u);
  EXPECT_EQ(rows_where("whole = 99999999999999999999999999999999999999"), 1u);
  EXPECT_EQ(rows_where("whole >= 99999999999999999999999999999999999998.5"), 1u);
  EXPECT_EQ(rows_where("whole < 1e40"), 5u);
  EXPECT_EQ(rows_where("whole > -1e40 and whole < -1"), 1u);
  EXPECT_THAT(test::error_of(ErrorKind::Argument, [] { rows_where("price = 'a'"); }),
              HasSubstr("expected a number"));
}

TEST(DecimalPredicates, CompareColumnsOfOtherTypes) {
  EXPECT_EQ(rows_where("price < row"), 3u);
  EXPECT_EQ(rows_where("price > whole"), 2u);
  EXPECT_EQ(rows_where("price * 2 = 3"), 2u);
  EXPECT_EQ(rows_where("price = cast(0.1 as float64)"), 0u);
  EXPECT_EQ(rows_where("price > row * 0.5"), 2u);
  EXPECT_EQ(rows_where("abs(price) = 0.25"), 1u);
  EXPECT_EQ(rows_where("cast(price as int64) = 2"), 2u);
  EXPECT_EQ(rows_where("cast(price as text) = '1.50'"), 2u);
}

TEST(DecimalPredicates, TakeParameters) {
  const std::vector<QueryParameter> digits = {QueryParameter::untyped("0.10")};
  EXPECT_EQ(count(Predicate(table(), "price = ?", digits)), 1u);
  const std::vector<QueryParameter> binary_tenth = {0.1};
  EXPECT_EQ(count(Predicate(table(), "price = ?", binary_tenth)), 0u);
  const std::vector<QueryParameter> half = {1.5};
  EXPECT_EQ(count(Predicate(table(), "price = ?", half)), 2u);
}

TEST(DecimalAggregates, AreExact) {
  EXPECT_EQ(result_of("sum(price)"), "decimal[38,2] 102.84");
  EXPECT_EQ(result_of("sum(whole)"), "decimal[38,0] 4");
  EXPECT_EQ(result_of("min(price)"), "decimal[10,2] -0.25");
  EXPECT_EQ(result_of("max(whole)"), "decimal[38,0] " + std::string(38, '9'));
  EXPECT_EQ(result_of("mean(price)"), "float64 20.568");
  EXPECT_EQ(result_of("median(price)"), "float64 1.5");
  EXPECT_EQ(result_of("distinct(price)"), "uint64 4");
  EXPECT_EQ(result_of("count(price)"), "uint64 5");
  EXPECT_EQ(result_of("mode(price)"), "decimal[10,2] 1.50");
  EXPECT_EQ(result_of("first(price)"), "decimal[10,2] 1.50");
  EXPECT_EQ(result_of("last(whole)"), "decimal[38,0] -1");
  EXPECT_EQ(result_of("approx_distinct(price)"), "uint64 4");
  EXPECT_EQ(result_of("sum(price * price)", "row < 4"), "decimal[38,4] 2.3225");
  EXPECT_EQ(result_of("sum(price + row)"), "decimal[38,2] 116.84");
  EXPECT_EQ(result_of("sum(price / 2)", "row = 0"), "float64 0.75");
  EXPECT_EQ(result_of("sum(price)", "price is null"), "decimal[38,2] null");
  EXPECT_EQ(result_of("sum(case when row < 2 then whole else 0 end)"), "decimal[38,0] 0");
}

TEST(DecimalAggregates, ReportResultsOfTooManyDigits) {
  EXPECT_THAT(
      test::error_of(ErrorKind::Limit, [] { result_of("sum(whole)", "whole > 1"); }),
      HasSubstr("more than 38 digits"));
  EXPECT_THAT(test::error_of(ErrorKind::Argument, [] { result_of("sum(whole + whole)"); }),
              HasSubstr("more than 38 digits"));
  EXPECT_THAT(
      test::error_of(ErrorKind::Argument, [] { result_of("sum(cast(price as decimal(3,2)))"); }),
      HasSubstr("does not hold 99.99"));
}

// A sum of more than 38 digits is no error of statistics, which do not show it.
TEST(DecimalAggregates, HaveStatistics) {
  const std::vector<ColumnStats> all = stats(Query(table()));
  EXPECT_EQ(to_text(all[0].type, all[0].min), "-0.25");
  EXPECT_EQ(all[0].mean, 20.568);
  EXPECT_EQ(all[0].distinct, 4u);
  EXPECT_EQ(all[1].mean, 0.8);
  EXPECT_EQ(all[1].null_count, 1u);
}

TEST(DecimalGroups, AreOfEqualValues) {
  for (const char* column : {"price", "whole"}) {
    const Projection keys(table(), std::vector<std::string>{column});
    const auto counts = count_values(keys, 0);
    std::string text;
    for (const ValueCount& one : counts) {
      text += to_text(keys.schema()->front().type, one.value) + '=' + std::to_string(one.rows) + ' ';
    }
    EXPECT_EQ(text, std::string(column) == "price"
                        ? "null=1 -0.25=1 0.10=1 1.50=2 99.99=1 "
                        : "null=1 -" + std::string(38, '9') + "=1 -1=1 0=1 5=1 " +
                              std::string(38, '9') + "=1 ");
  }
}

TEST(DecimalRows, AreReadInPlace) {
  RowView view{Projection(table())};
  view.seek(2);
  EXPECT_EQ(view.get<WideInteger>(0), wide(-25));
  EXPECT_FALSE(view.is_null(0));
  view.seek(1);
  EXPECT_EQ(view.get<WideInteger>(0), std::nullopt);
  EXPECT_TRUE(view.is_null(0));
}

}  // namespace
}  // namespace heron
