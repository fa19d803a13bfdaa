// Computed columns: the values of every function against expected ones.
#include "heron/expression.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/real_files.h"
#include "kit/special_numbers.h"

namespace heron {
namespace {

// Returns a table of four rows: i and x have a null in the third, t in the second.
std::shared_ptr<const Table> small() {
  TableMaker maker(4);
  maker.fixed("i", Type::Int32, std::vector<int32_t>{7, -3, INT32_MIN, 0}, NullEncoding::Sentinel);
  maker.fixed("big", Type::Int64, std::vector<int64_t>{INT64_MAX, INT64_MIN, 5, -1});
  maker.fixed("u", Type::UInt64, std::vector<uint64_t>{UINT64_MAX, 1, 2, 3});
  maker.fixed("x", Type::Float64, std::vector<double>{2.5, -0.5, kNaN, 1e300}, NullEncoding::NaN);
  maker.fixed("f", Type::Float32, std::vector<float>{0.5f, 1.5f, 2.5f, -2.5f});
  maker.texts("t", {"Ærø", std::nullopt, " a b ", ""});
  maker.texts("s", {"abcabc", "a_c", "", "ABC"});
  maker.lists("list", {0, 3, 3, 4, 5}, {30, 40, 50, 1, 2}, {true, true, false, true});
  maker.bits("b", {true, false, true, false}, {true, true, false, true});
  // 2024-02-29, 1969-12-31, 1970-01-01, 2000-03-01.
  maker.fixed("d", Type::Date32, std::vector<int32_t>{19782, -1, 0, 11017});
  // 2024-02-29T13:14:15.5, 1969-12-31T23:59:59.25, 1970-01-01, 2000-03-01T00:00:01.
  maker.fixed("ts", Type::Timestamp,
              std::vector<int64_t>{1709212455500000000, -750000000, 0, 951868801000000000});
  return maker.table();
}

// Returns text such as "7, -3, null, 0".
std::string shown(const RowBatch& batch) {
  std::string text;
  for (uint64_t i = 0; i < batch.rows; ++i) {
    text += concat(i == 0 ? "" : ", ", to_text(batch.columns[0], i));
  }
  return text;
}

std::string values(const std::string& expression) {
  Query query(small());
  query.columns = {expression};
  return shown(read(query.projection(), {0, 4}));
}
std::string type(const std::string& expression) {
  Query query(small());
  query.columns = {expression};
  return query.projection().schema()->front().type.name();
}
std::string error(const std::string& expression) {
  return test::error_of(ErrorKind::Argument, [&] { values(expression); });
}

// The dates are in years that std::chrono supports, and fill more than one morsel of vectors.
TEST(Computed, PartsOfDatesAreThoseOfTheCalendar) {
  using namespace std::chrono;
  constexpr uint64_t kDates = 20'000;
  std::mt19937_64 draw(7);
  std::vector<int32_t> dates(kDates);
  std::vector<int64_t> times(kDates);
  for (uint64_t i = 0; i < kDates; ++i) {
    const auto any = static_cast<int32_t>(draw() % 20'000'000) - 10'000'000;
    // Every other date is near the end of a month.
    const auto month = static_cast<unsigned>(1 + draw() % 12);
    const sys_days end = year(static_cast<int>(draw() % 4000)) / month / 1;
    const auto last = static_cast<int32_t>(end.time_since_epoch().count());
    dates[i] = i % 2 == 0 ? any : last - static_cast<int32_t>(draw() % 2);
    times[i] = static_cast<int64_t>(draw());
    constexpr int64_t kDay = 86'400'000'000'000;
    if (i % 3 == 0) times[i] = times[i] / kDay * kDay - static_cast<int64_t>(draw() % 2);
  }
  Query query(TableMaker(kDates)
                  .fixed("d", Type::Date32, dates)
                  .fixed("t", Type::Timestamp, times)
                  .table());
  for (const std::string column : {"d", "t"}) {
    const auto call = [&](const char* part) { return concat(part, column, ')'); };
    std::vector<std::string> parts = {call("year("),    call("month("),     call("day("),
                                      call("quarter("), call("dayofyear("), call("dayofweek(")};
    const bool is_date = column == "d";  // no week starts before the first timestamps
    if (is_date) parts.push_back(call("date_trunc('week', "));
    if (is_date) parts.push_back(call("date_trunc('quarter', "));
    query.columns = parts;
    const RowBatch batch = read(query.projection(), {0, kDates});
    for (uint64_t i = 0; i < kDates; ++i) {
      const auto time = sys_time<nanoseconds>(nanoseconds(times[i]));
      const sys_days day = is_date ? sys_days(days(dates[i])) : floor<days>(time);
      const year_month_day date(day);
      const auto got = [&](uint64_t k) { return batch.columns[k].get<int64_t>(i); };
      const unsigned month = static_cast<unsigned>(date.month());
      ASSERT_EQ(got(0), static_cast<int>(date.year())) << i;
      ASSERT_EQ(got(1), month) << i;
      ASSERT_EQ(got(2), static_cast<unsigned>(date.day())) << i;
      ASSERT_EQ(got(3), (month + 2) / 3) << i;
      ASSERT_EQ(got(4), (day - sys_days(date.year() / 1 / 1)).count() + 1) << i;
      ASSERT_EQ(got(5), weekday(day).c_encoding()) << i;
      if (!is_date) continue;
      const sys_days monday = day - (weekday(day) - Monday);
      const sys_days quarter = date.year() / ((month - 1) / 3 * 3 + 1) / 1;
      ASSERT_EQ(batch.columns[6].get<int32_t>(i), monday.time_since_epoch().count()) << i;
      ASSERT_EQ(batch.columns[7].get<int32_t>(i), quarter.time_since_epoch().count()) << i;
    }
  }
}

TEST(Computed, Arithmetic) {
  EXPECT_EQ(values("i + 1"), "8, -2, null, 1");
  EXPECT_EQ(values("-i"), "-7, 3, null, 0");
  EXPECT_EQ(values("i * 2.0"), "14, -6, null, 0");
  EXPECT_EQ(values("i / 2"), "3.5, -1.5, null, 0");
  EXPECT_EQ(values("i % 4"), "3, -3, null, 0");
  EXPECT_EQ(values("7 % i"), "0, 1, null, null");
  EXPECT_EQ(values("7 % 0"), "null, null, null, null");
  EXPECT_EQ(values("big - big"), "0, 0, 0, 0");
  EXPECT_EQ(type("i + 1"), "int64");
  EXPECT_EQ(type("f + 1"), "float64");
  EXPECT_EQ(values("-x"), "-2.5, 0.5, null, -1e+300");
  EXPECT_EQ(values("-(x - x)"), "-0.0, -0.0, null, -0.0");
}

TEST(Computed, AnIntegerThatDoesNotFitIsAnError) {
  EXPECT_NE(error("big + 1").find("type int64 does not hold the result 9223372036854775808"),
            std::string::npos)
      << error("big + 1");
  EXPECT_NE(error("u + 1").find("18446744073709551616"), std::string::npos);
  EXPECT_EQ(values("case when big < 0 then big + 1 else 0 end"), "0, -9223372036854775807, 0, 0");
  EXPECT_EQ(values("big % 10"), "7, -8, 5, -1");
  EXPECT_EQ(values("u % 10"), "5, 1, 2, 3");
}

TEST(Computed, Math) {
  EXPECT_EQ(values("abs(i)"), "7, 3, null, 0");
  EXPECT_EQ(values("abs(x)"), "2.5, 0.5, null, 1e+300");
  EXPECT_NE(error("abs(big)").find("9223372036854775808"), std::string::npos);
  EXPECT_EQ(values("sign(x)"), "1, -1, null, 1");
  EXPECT_EQ(values("sign(u)"), "1, 1, 1, 1");
  EXPECT_EQ(values("round(f)"), "1, 2, 3, -3");
  EXPECT_EQ(values("trunc(f)"), "0, 1, 2, -2");
  EXPECT_EQ(values("floor(f)"), "0, 1, 2, -3");
  EXPECT_EQ(values("ceil(f)"), "1, 2, 3, -2");
  EXPECT_EQ(values("floor(i)"), "7, -3, null, 0");
  EXPECT_EQ(values("round(i * 7, -1)"), "50, -20, null, 0");
  EXPECT_EQ(values("round(x / 3, 2)"), "0.83, -0.17, null, 3.333333333333333e+299");
  EXPECT_NE(error("round(big, -1)").find("does not hold"), std::string::npos);
  EXPECT_EQ(values("sqrt(x - 2.25)"), "0.5, NaN, null, 1e+150");
  EXPECT_EQ(values("ln(i - 7)"), "-Infinity, NaN, null, NaN");
  EXPECT_EQ(values("log10(u - 1) > 19"), "true, false, false, false");
  EXPECT_EQ(values("power(i, 2)"), "49, 9, null, 0");
  EXPECT_EQ(values("exp(i - i)"), "1, 1, null, 1");
}

TEST(Computed, Texts) {
  EXPECT_EQ(values("upper(t)"), "ÆRØ, null,  A B , ");
  EXPECT_EQ(values("lower(s)"), "abcabc, a_c, , abc");
  EXPECT_EQ(values("length(t)"), "3, null, 5, 0");
  EXPECT_EQ(values("strlen(t)"), "5, null, 5, 0");
  EXPECT_EQ(values("reverse(t)"), "ørÆ, null,  b a , ");
  EXPECT_EQ(values("'<' || trim(t) || '>'"), "<Ærø>, null, <a b>, <>");
  EXPECT_EQ(values("'<' || ltrim(t) || '>'"), "<Ærø>, null, <a b >, <>");
  EXPECT_EQ(values("rtrim(t, 'ø ')"), "Ær, null,  a b, ");
  EXPECT_EQ(values("substr(t, 2, 1)"), "r, null, a, ");
  EXPECT_EQ(values("substr(s, -2)"), "bc, _c, , BC");
  EXPECT_EQ(values("substr(s, 0, 3)"), "ab, a_, , AB");
  EXPECT_EQ(values("substr(s, 4, -2)"), "bc, _c, , BC");
  EXPECT_EQ(values("left(s, 2) || right(s, 1)"), "abc, a_c, , ABC");
  EXPECT_EQ(values("left(s, -2) || right(s, -2)"), "abcacabc, ac, , AC");
  EXPECT_EQ(values("replace(s, 'bc', 'x')"), "axax, a_c, , ABC");
  EXPECT_EQ(values("replace(s, '', 'x')"), "abcabc, a_c, , ABC");
  EXPECT_EQ(values("concat(s, t, '!')"), "abcabcÆrø!, a_c!,  a b !, ABC!");
  EXPECT_EQ(values("contains(s, 'ca')"), "true, false, false, false");
  EXPECT_EQ(values("starts_with(s, 'a')"), "true, true, false, false");
  EXPECT_EQ(values("ends_with(s, t)"), "false, null, false, true");
  EXPECT_EQ(values("s ilike 'A%C'"), "true, true, false, true");
  EXPECT_EQ(values("s not like 'a\\_%' escape '\\'"), "true, false, true, true");
  EXPECT_EQ(values("t ilike 'æRØ'"), "true, null, false, false");
}

TEST(Computed, Times) {
  EXPECT_EQ(values("year(d) * 10000 + month(d) * 100 + day(d)"),
            "20240229, 19691231, 19700101, 20000301");
  EXPECT_EQ(values("hour(ts) * 10000 + minute(ts) * 100 + second(ts)"), "131415, 235959, 0, 1");
  EXPECT_EQ(values("hour(d)"), "0, 0, 0, 0");
  EXPECT_EQ(values("dayofweek(d)"), "4, 3, 4, 3");
  EXPECT_EQ(values("dayofyear(ts)"), "60, 365, 1, 61");
  EXPECT_EQ(values("quarter(ts)"), "1, 4, 1, 1");
  EXPECT_EQ(values("epoch(ts)"), "1709212455.5, -0.75, 0, 951868801");
  EXPECT_EQ(values("epoch(d)"), "1709164800, -86400, 0, 951868800");
  EXPECT_EQ(values("date_trunc('week', d)"), "2024-02-26, 1969-12-29, 1969-12-29, 2000-02-28");
  EXPECT_EQ(values("date_trunc('minute', ts)"),
            "2024-02-29T13:14:00, 1969-12-31T23:59:00, 1970-01-01T00:00:00, 2000-03-01T00:00:00");
  EXPECT_EQ(values("date_trunc('quarter', d)"), "2024-01-01, 1969-10-01, 1970-01-01, 2000-01-01");
  EXPECT_EQ(type("date_trunc('year', d)"), "date32");
  EXPECT_EQ(values("d >= '2000-01-01'"), "true, false, false, true");
  EXPECT_EQ(values("coalesce(cast(null as date32), '2000-01-01')"),
            "2000-01-01, 2000-01-01, 2000-01-01, 2000-01-01");
}

TEST(Computed, NullsAndChoices) {
  EXPECT_EQ(values("coalesce(i, 5)"), "7, -3, 5, 0");
  EXPECT_EQ(type("coalesce(i, 5)"), "int32");
  EXPECT_EQ(type("coalesce(i, 5000000000)"), "int64");
  EXPECT_EQ(values("coalesce(x, i, u)"), "2.5, -0.5, 2, 1e+300");
  EXPECT_EQ(values("coalesce(t, s)"), "Ærø, a_c,  a b , ");
  EXPECT_EQ(values("nullif(i, 0)"), "7, -3, null, null");
  EXPECT_EQ(values("least(i, 2, u)"), "2, -3, 2, 0");
  EXPECT_EQ(values("greatest(x, 0.0)"), "2.5, 0, 0, 1e+300");
  EXPECT_EQ(values("greatest(s, 'a')"), "abcabc, a_c, a, a");
  EXPECT_EQ(values("case when i > 0 then 'plus' when i < 0 then 'minus' end"),
            "plus, minus, null, null");
  EXPECT_EQ(values("case s when 'ABC' then 1 when t then 2 else i end"), "7, -3, null, 1");
  EXPECT_EQ(values("b is true"), "true, false, false, false");
  EXPECT_EQ(values("b is not false"), "true, false, true, false");
  EXPECT_EQ(values("b and i > 0"), "true, false, null, false");
  EXPECT_EQ(values("b or i > 0"), "true, false, null, false");
  EXPECT_EQ(values("i in (7, null)"), "true, null, null, null");
  EXPECT_EQ(values("i not between -3 and 0"), "true, false, null, false");
  EXPECT_EQ(values("t is null"), "false, true, false, false");
}

TEST(Computed, Casts) {
  EXPECT_EQ(values("cast(f as int32)"), "0, 2, 2, -2");
  EXPECT_EQ(values("try_cast(x as int8)"), "2, 0, null, null");
  EXPECT_NE(error("cast(x as int8)").find("type int8 does not hold 1e+300"), std::string::npos);
  EXPECT_EQ(values("cast(i as text) || '!'"), "7!, -3!, null, 0!");
  EXPECT_EQ(values("cast(f as text)"), "0.5, 1.5, 2.5, -2.5");
  EXPECT_EQ(values("cast(b as int8)"), "1, 0, null, 0");
  EXPECT_EQ(values("cast(i as bool)"), "true, true, null, false");
  EXPECT_EQ(values("cast(d as text)"), "2024-02-29, 1969-12-31, 1970-01-01, 2000-03-01");
  EXPECT_EQ(values("cast(ts as date32)"), "2024-02-29, 1969-12-31, 1970-01-01, 2000-03-01");
  EXPECT_EQ(values("cast(cast(d as timestamp) as text)"),
            "2024-02-29T00:00:00, 1969-12-31T00:00:00, 1970-01-01T00:00:00, 2000-03-01T00:00:00");
  EXPECT_EQ(values("try_cast(s as int64)"), "null, null, null, null");
  EXPECT_EQ(values("cast(' -12 ' as int16)"), "-12, -12, -12, -12");
  EXPECT_EQ(values("cast(u as uint64)"), "18446744073709551615, 1, 2, 3");
  EXPECT_EQ(type("cast(i as float32)"), "float32");
  EXPECT_EQ(values("cast('2024-02-29T01:02:03' as timestamp) > ts"), "false, true, true, true");
}

TEST(Computed, NamesAndRenaming) {
  Query query(small());
  query.columns = {"i", "i * 2 as twice", "upper(s) as s", "t as `my text`", "x+1"};
  const Projection columns = query.projection();
  std::vector<std::string> names;
  for (const Field& field : *columns.schema()) names.push_back(field.name);
  EXPECT_EQ(names, (std::vector<std::string>{"i", "twice", "s", "my text", "x+1"}));
  const RowBatch batch = read(columns, {0, 1});
  EXPECT_EQ(to_text(batch.columns[2], 0), "ABCABC");
  EXPECT_EQ(to_text(batch.columns[3], 0), "Ærø");
}

TEST(Computed, MistakesAreShownBeforeAnythingIsRead) {
  const auto says = [](const std::string& expression, const std::string& text) {
    EXPECT_NE(error(expression).find(text), std::string::npos) << error(expression);
  };
  says("uper(s)", "character 1: no function \"uper\"; did you mean \"upper\"?: ^uper(s)");
  says("1 + lower(i)", "expected a text for lower, got \"i\" (int32): 1 + lower(^i)");
  says("substr(s)", "expected substr(text, start [, count]), got 1 argument");
  says("cast(s as intt)", "no type \"intt\"; did you mean \"int8\"?");
  says("cast(d as int64)", "cannot be cast to int64");
  says("coalesce(i, s)", "expected a number beside");
  says("case when i then 1 end", "expected a predicate");
  says("(null)", "expected a value with a type");
  says("date_trunc('weak', d)", "expected a unit such as 'month' for date_trunc");
  says("i +", "expected a name, a value or a predicate in brackets, got the end");
  says("i i", "expected as, an operator, or the end");
  says("j + 1", "no column \"j\"");
  says("s + 1", "expected a number, got \"s\" (text)");
}

// Evaluates the lines "expression -> value" of EXPRESSIONS.md.
TEST(Computed, ExamplesAreAsDocumented) {
  std::ifstream document(data_dir() / "../engine/expression/EXPRESSIONS.md");
  ASSERT_TRUE(document);
  std::string all, line;
  int examples = 0;
  while (std::getline(document, line)) {
    all += line + '\n';
    const size_t arrow = line.find("  -> ");
    if (!line.starts_with("    ") || arrow == line.npos) continue;
    ++examples;
    const std::string expression = line.substr(4, arrow - 4);
    Query query(small());
    query.columns = {expression + " as example"};
    EXPECT_EQ(to_text(read(query.projection(), {0, 1}).columns[0], 0), line.substr(arrow + 5))
        << line;
  }
  EXPECT_GT(examples, 50);
  for (const FunctionHelp& function : expression_functions()) {
    const std::string call = function.name == "||" ? " || " : concat(function.name, '(');
    EXPECT_NE(all.find(call), all.npos) << function.name << " has no example";
  }
}

}  // namespace
}  // namespace heron
