// Sums and means of factor * x + offset, which are computed from the sum of x, equal those of
// the expression computed for each row.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/fail.h"
#include "error_of.h"
#include "expression/computed_table.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "shown_answers.h"

namespace heron {
namespace {

template <class T>
std::vector<T> random_integers(uint64_t rows, std::mt19937_64& random) {
  std::vector<T> all;
  for (uint64_t row = 0; row < rows; ++row) {
    const uint64_t kind = random() % 16;
    all.push_back(kind == 0   ? std::numeric_limits<T>::min()
                  : kind == 1 ? std::numeric_limits<T>::max()
                  : kind == 2 ? T{0}
                              : static_cast<T>(random()));
  }
  return all;
}

constexpr uint64_t kRows = 9000;

std::shared_ptr<const Table> table_of(uint64_t rows, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<bool> chosen;
  std::vector<int64_t> small, huge;
  for (uint64_t row = 0; row < rows; ++row) {
    chosen.push_back(random() % 3 == 0);
    small.push_back(static_cast<int64_t>(random() % 1000) - 500);
    huge.push_back(row == rows / 2 ? INT64_MAX : 5);
  }
  const auto nulls = NullEncoding::Sentinel;
  return TableMaker(rows)
      .fixed<int8_t>("i8", Type::Int8, random_integers<int8_t>(rows, random), nulls)
      .fixed<int16_t>("i16", Type::Int16, random_integers<int16_t>(rows, random))
      .fixed<int32_t>("i32", Type::Int32, random_integers<int32_t>(rows, random), nulls)
      .fixed<uint8_t>("u8", Type::UInt8, random_integers<uint8_t>(rows, random))
      .fixed<uint32_t>("u32", Type::UInt32, random_integers<uint32_t>(rows, random))
      .fixed<int64_t>("small", Type::Int64, small, nulls)
      .fixed<int64_t>("huge", Type::Int64, huge)
      .fixed<int32_t>("none", Type::Int32, std::vector<int32_t>(rows, INT32_MIN), nulls)
      .bits("chosen", chosen)
      .fixed<uint8_t>("key", Type::UInt8, random_integers<uint8_t>(rows, random))
      .table();
}

// Returns an expression of the same value that is not linear: a case with one result.
std::string row_by_row(const std::string& expression) {
  return "case when true or chosen then " + expression + " end";
}

const std::vector<std::string>& expressions() {
  static const std::vector<std::string> all = {
      "i8 + 1",       "i8 - 100",        "3 - i8",           "-i8",
      "i16 + 89",     "i16 * 7 - 3",     "2 * (1 - i16)",    "i32 + 2147483647",
      "i32 * -3",     "i32 - i16 + i16", "u8 + 300",         "u8 - 300",
      "u32 + u32",    "u32 * 1000000",   "-(u32 - 7)",       "small + 1",
      "small * 1000", "none + 1",        "10 - none",        "4611686018427387904 + i32",
      "huge - 1",     "huge * 1",        "i32 * 2147483647", "7 + i32 - i32"};
  return all;
}

struct LinearSumsOf : testing::TestWithParam<uint64_t> {
  std::shared_ptr<const Table> table = table_of(GetParam(), 7 + GetParam());

  void expect_equal(const std::string& function, const std::string& expression,
                    const std::string& filter) const {
    const auto one = [&](const std::string& argument) {
      const std::string where = filter.empty() ? "" : " filter (where " + filter + ")";
      return function + "(" + argument + ")" + where;
    };
    EXPECT_EQ(answers(table, one(expression)), answers(table, one(row_by_row(expression))))
        << one(expression);
    const auto grouped = [&](const std::string& argument) {
      Query query(table);
      query.by = {"key"};
      const auto aggregates = parse_aggregates(*table, one(argument) + " as r, count");
      const RowBatch batch = group_by(query, aggregates);
      std::vector<std::string> all;
      for (uint64_t row = 0; row < batch.rows; ++row) {
        for (const Values& column : batch.columns) {
          all.push_back(concat(column.type.name(), ' ', shown(column, row)));
        }
      }
      return all;
    };
    EXPECT_EQ(grouped(expression), grouped(row_by_row(expression))) << one(expression);
  }
};

TEST_P(LinearSumsOf, AreThoseOfRows) {
  for (const std::string& expression : expressions()) {
    for (const char* function : {"sum", "mean"}) {
      for (const char* filter : {"", "chosen", "i32 > 0 and i16 < 0", "i8 > 200"}) {
        expect_equal(function, expression, filter);
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, LinearSumsOf, testing::Values(1, 2, 63, kRows));

TEST(LinearSums, NamesAndTypesStay) {
  const auto table = table_of(kRows, 1);
  const char* const list = "sum(i16 + 1), min(i16), sum(i16 + 2) as two, sum(i16)";
  const RowBatch batch = aggregate(Query(table), parse_aggregates(*table, list));
  ASSERT_EQ(batch.columns.size(), 4u);
  EXPECT_EQ((*batch.schema)[0].name, "sum(i16 + 1)");
  EXPECT_EQ((*batch.schema)[2].name, "two");
  EXPECT_EQ((*batch.schema)[3].name, "sum(i16)");
  const auto sum = batch.columns[3].get<int64_t>(0);
  EXPECT_EQ(batch.columns[0].get<int64_t>(0), sum + int64_t{kRows});
  EXPECT_EQ(batch.columns[2].get<int64_t>(0), sum + 2 * int64_t{kRows});
  const auto sum_of = [](const char* expression) {
    return Aggregate{
        .function = Aggregate::Function::Sum, .name = "a", .expression = expression};
  };
  const auto twice = [&] { aggregate(Query(table), {sum_of("i16 + 1"), sum_of("i16 + 2")}); };
  const std::string error = test::error_of(ErrorKind::Argument, twice);
  EXPECT_NE(error.find("\"a\""), std::string::npos) << error;
}

TEST(LinearSums, OrderGroups) {
  const auto table = table_of(kRows, 1);
  const auto keys_of = [&](const char* aggregates) {
    Query query(table);
    query.by = {"key"};
    query.order = {{"s", Descending}, {"key"}};
    query.limit = 7;
    std::vector<std::string> all;
    const RowBatch batch = group_by(query, parse_aggregates(*table, aggregates));
    for (uint64_t row = 0; row < batch.rows; ++row) all.push_back(shown(batch.columns[0], row));
    return all;
  };
  const auto expected = keys_of("sum(case when true or chosen then 5 - i16 end) as s");
  EXPECT_EQ(expected.size(), 7u);
  EXPECT_EQ(keys_of("sum(5 - i16) as s"), expected);
  EXPECT_NE(keys_of("sum(i16 + 1) as s"), expected);
}

// A row whose result does not fit int64 is an error, as it is when computed row by row.
TEST(LinearSums, ErrorsOfRowsStay) {
  const auto table = table_of(kRows, 1);
  for (const char* expression : {"huge + 1", "huge * 2", "-2 - huge * 1 - 7", "1 - -huge"}) {
    const auto sum = [&](const std::string& argument) {
      return [&table, argument] {
        aggregate(Query(table), parse_aggregates(*table, "sum(" + argument + ")"));
      };
    };
    const std::string error = test::error_of(ErrorKind::Argument, sum(expression));
    EXPECT_NE(error.find("type int64 does not hold the result"), std::string::npos) << error;
  }
  const auto kept = aggregate(Query(table, "huge < 10"), parse_aggregates(*table, "sum(huge + 1)"));
  EXPECT_EQ(kept.columns[0].get<int64_t>(0), 6 * (int64_t{kRows} - 1));
}

TEST(LinearSums, FormsAreFound) {
  const auto table = table_of(3, 1);
  const auto form = [&](std::string_view text) -> std::string {
    const auto found = linear_form(*table, text);
    if (!found) return "none";
    return concat(static_cast<int64_t>(found->factor), " * ", table->column_name(found->column),
                  " + ", static_cast<int64_t>(found->offset), found->always_fits ? "" : " ?");
  };
  EXPECT_EQ(form("i16 + 1"), "1 * i16 + 1");
  EXPECT_EQ(form("5 - 2 * (i32 - 3)"), "-2 * i32 + 11");
  EXPECT_EQ(form("-(u32 + u32)"), "-2 * u32 + 0");
  EXPECT_EQ(form("small + 1"), "1 * small + 1 ?");
  EXPECT_EQ(form("i32 * 4294967296"), "4294967296 * i32 + 0");
  EXPECT_EQ(form("i32 * 4294967297"), "4294967297 * i32 + 0 ?");
  for (const char* other : {"i16 * i16", "i16 + i32", "i16 / 2", "i16 % 2", "i16 + 0.5", "abs(i16)",
                            "i16 - i16", "chosen", "cast(i16 as int8) + 1", "7"}) {
    EXPECT_EQ(form(other), "none") << other;
  }
  for (const std::string& expression : expressions()) {
    EXPECT_EQ(form(row_by_row(expression)), "none") << expression;
  }
}

// The expressions are not computed: their text alone is read 90 times.
TEST(LinearSums, ReadTheColumnOnce) {
  const auto table = table_of(kRows, 1);
  std::string list = "sum(i16)";
  for (int i = 1; i < 90; ++i) list += concat(", sum(i16 + ", i, ')');
  const auto bytes_of = [&](const std::string& text) {
    QueryMetrics metrics;
    Query query(table);
    query.metrics = &metrics;
    aggregate(query, parse_aggregates(*table, text));
    return metrics.bytes_selected.load();
  };
  EXPECT_EQ(bytes_of(list), bytes_of("sum(i16)"));
  EXPECT_GT(bytes_of("sum(i16), sum(abs(i16))"), bytes_of("sum(i16)"));
}

}  // namespace
}  // namespace heron
