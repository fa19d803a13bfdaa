// Predicates that become sets of a column's values against the same predicates computed for each
// row, and the columns they leave unread.
#include "expression/functions/inverse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/fail.h"
#include "error_of.h"
#include "expression/bound_predicate.h"
#include "expression/shown_predicate.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace inverse_test {
namespace {

using Doubles = std::numeric_limits<double>;

constexpr double kMaxFloat = std::numeric_limits<double>::max();
constexpr double kMinPositive = std::numeric_limits<double>::denorm_min();
constexpr int64_t kDay = 86'400'000'000'000;
constexpr uint64_t kRows = 3000;

// Draws values near the literals of predicates, special values and any others.
template <class T, class Any>
std::vector<T> drawn(std::mt19937_64& draw, const std::vector<T>& special, Any any) {
  std::vector<T> values;
  for (uint64_t i = 0; i < kRows; ++i) {
    values.push_back(draw() % 3 == 0 ? special[draw() % special.size()] : any());
  }
  return values;
}

const std::shared_ptr<const Table>& table() {
  static const auto made = [] {
    std::mt19937_64 draw(20261127);
    std::vector<bool> valid;
    for (uint64_t i = 0; i < kRows; ++i) valid.push_back(draw() % 10 != 0);
    constexpr auto kBitmap = NullEncoding::Bitmap;
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(draw);
    };
    TableMaker maker(kRows);
    maker.fixed("i", Type::Int32,
                drawn<int32_t>(draw, {0, 1, -1, 7, INT32_MAX, INT32_MIN, INT32_MIN + 1},
                               [&] { return static_cast<int32_t>(draw() % 41) - 20; }),
                NullEncoding::Sentinel);
    maker.fixed("big", Type::Int64,
                drawn<int64_t>(draw, {0, INT64_MAX, INT64_MIN, 1LL << 53, (1LL << 53) + 1, -5},
                               [&] { return static_cast<int64_t>(draw()) >> draw() % 64; }),
                kBitmap, valid);
    maker.fixed("u", Type::UInt64, drawn<uint64_t>(draw, {0, UINT64_MAX, 1ULL << 63, 7}, [&] {
                  return draw() >> draw() % 64;
                }));
    maker.fixed("x", Type::Float64,
                drawn<double>(draw,
                              {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, Doubles::quiet_NaN(),
                               Doubles::infinity(), -Doubles::infinity(), kMaxFloat, -kMaxFloat,
                               kMinPositive, -kMinPositive, 0x1p52, 0x1p53, 0.1, 0.3},
                              [&] { return between(-4, 4); }),
                kBitmap, valid);
    maker.fixed("f", Type::Float32,
                drawn<float>(draw, {0.0F, 0.1F, 2.5F, -2.5F, 16777216.0F},
                             [&] { return static_cast<float>(between(-4, 4)); }),
                NullEncoding::NaN);
    maker.fixed("ts", Type::Timestamp,
                drawn<int64_t>(draw,
                               {0, -1, 1, kDay, -kDay, 19782 * kDay, 19782 * kDay - 1,
                                20089 * kDay, 20454 * kDay, 20454 * kDay - 1, INT64_MAX},
                               [&] { return static_cast<int64_t>(draw() % 21'900) * kDay / 3; }),
                kBitmap, valid);
    maker.fixed("d", Type::Date32, drawn<int32_t>(draw, {0, -1, 19782, 20089, 20453, 20454}, [&] {
                  return static_cast<int32_t>(draw() % 30000) - 5000;
                }));
    std::vector<std::optional<std::string>> texts;
    const std::vector<std::string> some = {"",     "a",    "ab",   "abc",  "abcd", "abd",
                                           "abc\0", "ab\xFF", "Ærø", "Ær", "b",    "\xFF"};
    for (uint64_t i = 0; i < kRows; ++i) {
      texts.push_back(draw() % 9 == 0 ? std::optional<std::string>() : some[draw() % some.size()]);
    }
    maker.texts("s", texts);
    return maker.table();
  }();
  return made;
}

// Returns the rows for which the computed predicate is true.
std::vector<uint64_t> rows_computed(const std::string& predicate) {
  Query query(table());
  query.columns = {predicate + " as holds"};
  const RowBatch batch = read(query.projection(), {0, kRows});
  std::vector<uint64_t> rows;
  for (uint64_t i = 0; i < kRows; ++i) {
    const Values& holds = batch.columns[0];
    if (!holds.is_null(i) && holds.data.bit(i)) rows.push_back(i);
  }
  return rows;
}

std::vector<uint64_t> rows_selected(const std::string& predicate) {
  std::vector<uint64_t> rows;
  Scan scan(Query(Predicate(table(), predicate)));
  for (RowBatch batch; scan.next(batch);) {
    rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
  }
  return rows;
}

void expect_alike(const std::string& predicate) {
  for (const std::string& text : {predicate, "not (" + predicate + ")"}) {
    const auto expected = rows_computed(text);
    EXPECT_EQ(rows_selected(text), expected) << text;
    EXPECT_EQ(rows_selected(text), expected) << text << ", with zones";
    EXPECT_EQ(count(Query(Predicate(table(), text))), expected.size()) << text;
  }
}

TEST(Inverse, SelectsWhatIsComputed) {
  const std::vector<std::string> numbers = {
      "i + 3",     "i - 3",      "3 - i",        "i * 3",       "i * -3",     "-i",
      "big + 1",   "big * 7",    "5 - big",      "-big",        "u + 1",      "u * 2",
      "1 - u",     "i + 0.5",    "big + 0.5",    "big * 1.0",   "u * 0.1",    "i / 3",
      "x + 0.1",   "x - 1e300",  "0.1 - x",      "x * 3",       "x * -1e-300", "x / 3",
      "x / -1e-300", "x * 1e300", "-x",          "f + 0.1",     "f * 0.1",    "f / 3",
      "floor(x)",  "ceil(x)",    "round(x)",     "trunc(x)",    "round(x, 1)", "trunc(x, 2)",
      "round(f)",  "round(i)",   "abs(i)",       "abs(big)",    "abs(x)",     "abs(f)",
      "year(ts)",  "year(d)",    "epoch(ts)",    "epoch(d)",    "abs(x - 1) * 2",
      "floor(i / 3) + 1", "year(ts) - 2000", "try_cast(big as int32)", "try_cast(i as uint8)",
      "cast(i as int64) * 2", "cast(big as double)"};
  const std::vector<std::string> values = {"0",   "1",    "-1", "2.5", "-0.5",  "0.1",
                                           "7",   "2024", "24", "1e308", "-1e308", "inf",
                                           "-inf", "9007199254740993", "18446744073709551616"};
  const std::vector<std::string> signs = {"=", "!=", "<", "<=", ">", ">="};
  for (const std::string& number : numbers) {
    for (const std::string& value : values) {
      for (const std::string& sign : signs) expect_alike(concat(number, ' ', sign, ' ', value));
    }
    expect_alike(concat(number, " between -2 and 2.5"));
    expect_alike(concat(number, " in (0, 2.5, -3, 2025)"));
  }
}

TEST(Inverse, SelectsTimesThatAreComputed) {
  for (const std::string unit :
       {"year", "quarter", "month", "week", "day", "hour", "microsecond"}) {
    for (const std::string column : {"ts", "d"}) {
      for (const std::string sign : {"=", "!=", "<", "<=", ">", ">="}) {
        for (const std::string time : {"2024-02-29", "2025-01-01", "1970-01-01", "1969-12-31"}) {
          expect_alike(concat("date_trunc('", unit, "', ", column, ") ", sign, " '", time, '\''));
        }
      }
    }
  }
  for (const std::string sign : {"=", "<", ">="}) {
    expect_alike(concat("cast(ts as date) ", sign, " '2024-02-29'"));
  }
}

TEST(Inverse, SelectsTextsThatAreComputed) {
  for (const std::string text : {"substr(s, 1, 2)", "left(s, 3)", "substr(s, 1, 1)", "s"}) {
    for (const std::string value : {"", "a", "ab", "abc", "abcd", "Æ", "Ær", "b"}) {
      for (const std::string sign : {"=", "!=", "<", "<=", ">", ">="}) {
        expect_alike(concat(text, ' ', sign, " '", value, '\''));
      }
      for (const std::string function : {"starts_with", "ends_with", "contains"}) {
        expect_alike(concat(function, '(', text, ", '", value, "')"));
      }
    }
    expect_alike(concat(text, " between 'ab' and 'abc'"));
  }
}

std::string predicate(const std::string& text) {
  return test::shown(bound_of(Predicate(table(), text)));
}

TEST(Inverse, IsASetWhereItCanBe) {
  EXPECT_EQ(predicate("i + 3 > 5"), predicate("i > 2"));
  EXPECT_EQ(predicate("3 - i >= 5"), predicate("i <= -2"));
  EXPECT_EQ(predicate("abs(i) < 3"), predicate("i > -3 and i < 3"));
  EXPECT_EQ(predicate("year(d) = 2024"), predicate("d between '2024-01-01' and '2024-12-31'"));
  EXPECT_EQ(predicate("date_trunc('month', d) = '2024-02-01'"),
            predicate("d between '2024-02-01' and '2024-02-29'"));
  EXPECT_EQ(predicate("date_trunc('month', d) = '2024-02-02'"), predicate("1 = 2"));
  EXPECT_EQ(predicate("floor(x) = 2"), predicate("x >= 2 and x < 3"));
  EXPECT_EQ(predicate("x * 2 > 1"), predicate("x > 0.5"));
  EXPECT_EQ(predicate("starts_with(s, 'ab')"), predicate("s like 'ab%'"));
  EXPECT_EQ(predicate("substr(s, 1, 2) = 'ab'"), predicate("s like 'ab%'"));
  EXPECT_EQ(predicate("contains(s, 'ab')"), predicate("s like '%ab%'"));
}

// An expression that may fail for a row is computed for that row.
TEST(Inverse, KeepsErrorsOfRows) {
  const auto failing = [](const std::string& text) {
    return test::error_of(ErrorKind::Argument,
                          [&] { count(Query(Predicate(table(), text))); });
  };
  EXPECT_NE(failing("cast(big as int8) = 5"), "");
  TableMaker maker(1);
  maker.fixed("ts", Type::Timestamp, std::vector<int64_t>{INT64_MIN});
  const auto first = maker.table();
  EXPECT_NE(test::error_of(ErrorKind::Argument,
                           [&] {
                             count(Query(
                                 Predicate(first, "date_trunc('year', ts) < '2000-01-01'")));
                           }),
            "");
  EXPECT_EQ(count(Query(Predicate(first, "year(ts) = 1677"))), 1u);
}

TEST(Inverse, SkipsZonesOfMonotoneFunctions) {
  constexpr uint64_t kZonedRows = 300'000;
  std::vector<int64_t> times(kZonedRows);
  std::vector<std::optional<std::string>> texts(kZonedRows);
  for (uint64_t i = 0; i < kZonedRows; ++i) {
    times[i] = static_cast<int64_t>(i) * (kDay / 100);  // eight years from 1970 on
    texts[i] = std::string(1, static_cast<char>('a' + i / 50'000)) + "-text";
  }
  const auto sorted = TableMaker(kZonedRows)
                          .fixed("ts", Type::Timestamp, times)
                          .texts("s", texts)
                          .table();
  for (const std::string text : {"year(ts) = 1973", "date_trunc('month', ts) = '1973-05-01'",
                                 "epoch(ts) > 250000000", "substr(s, 1, 1) = 'c'"}) {
    QueryMetrics metrics;
    Query query(Predicate(sorted, text));
    const uint64_t rows = count(query);
    EXPECT_GT(rows, 0u) << text;
    query.metrics = &metrics;
    EXPECT_EQ(count(query), rows) << text;
    EXPECT_GE(metrics.zones_skipped, 3u) << text;
    EXPECT_LE(metrics.values_tested, 2 * 65'536u) << text;
  }
}

}  // namespace
}  // namespace inverse_test
}  // namespace heron
