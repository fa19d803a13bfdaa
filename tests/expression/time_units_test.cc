// Expressions on times of every unit, with and without time zones: values, comparisons with each
// other, casts, and what may be pruned.
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "base/fail.h"
#include "base/int128.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "values/times.h"

namespace heron {
namespace {

// Returns a table of 2024-02-29T13:14:15.5, 1969-12-31T23:59:59.25, 1970-01-01 and
// 2000-03-01T00:00:01 in all units; seconds drop the fraction.
std::shared_ptr<const Table> unit_table() {
  TableMaker maker(4);
  const auto add = [&](const char* name, const Type& type, int64_t divide) {
    std::vector<int64_t> units;
    for (const int64_t ms : {int64_t{1'709'212'455'500}, int64_t{-750}, int64_t{0}, int64_t{951'868'801'000}}) {
      const int64_t ns = ms * 1'000'000;
      units.push_back(ns / divide - (ns % divide < 0));
    }
    maker.fixed(name, type, units);
  };
  add("s", Type::timestamp(Type::Second), kNanosecondsASecond);
  add("ms", Type::timestamp(Type::Millisecond), 1'000'000);
  add("us", Type::timestamp(Type::Microsecond), 1'000);
  add("ns", Type::Timestamp, 1);
  add("utc", Type::timestamp(Type::Second, "UTC"), kNanosecondsASecond);
  add("zoned", Type::timestamp(Type::Microsecond, "Europe/Berlin"), 1'000);
  // Beyond what nanoseconds of 64 bits count.
  maker.fixed("far", Type::timestamp(Type::Second),
              std::vector<int64_t>{INT64_MIN, -62'135'596'800, 253'402'300'799, INT64_MAX});
  maker.fixed("span", Type::duration(Type::Millisecond),
              std::vector<int64_t>{90'061'001, -1, 0, INT64_MAX});
  maker.fixed("ticks", Type::Duration, std::vector<int64_t>{900'610'010'000, -10'000, 1, INT64_MAX});
  maker.fixed("clock", Type::Time,
              std::vector<int64_t>{47'655'500'000'000, 0, kNanosecondsADay - 1, 1'000});
  return maker.table();
}

std::string unit_texts(const RowBatch& batch) {
  std::string text;
  for (uint64_t i = 0; i < batch.rows; ++i) {
    text += concat(i == 0 ? "" : ", ", to_text(batch.columns[0], i));
  }
  return text;
}

std::string unit_values(const std::string& expression) {
  Query query(unit_table());
  query.columns = {expression};
  return unit_texts(read(query.projection(), {0, 4}));
}
std::string unit_type(const std::string& expression) {
  Query query(unit_table());
  query.columns = {expression};
  return query.projection().schema()->front().type.name();
}
std::string unit_error(const std::string& expression) {
  return test::error_of(ErrorKind::Argument, [&] { unit_values(expression); });
}
// The rows that a predicate selects, which may prune, are those for which it is computed as true.
std::string selected_rows(const std::string& predicate) {
  std::string selected, computed;
  Scan scan(Query(Predicate(unit_table(), predicate)));
  for (RowBatch batch; scan.next(batch);) {
    for (const uint64_t row : scan.rows()) selected += concat(row);
  }
  Query query(unit_table());
  query.columns = {"(" + predicate + ") is true as holds"};
  const RowBatch batch = read(query.projection(), {0, 4});
  for (uint64_t row = 0; row < 4; ++row) {
    if (batch.columns[0].get_bool(row)) computed += concat(row);
  }
  EXPECT_EQ(selected, computed) << predicate;
  return selected;
}

TEST(TimeUnits, PartsAreThoseOfTheInstant) {
  for (const std::string column : {"s", "ms", "us", "ns", "utc", "zoned"}) {
    const auto call = [&](const char* function) { return concat(function, '(', column, ')'); };
    EXPECT_EQ(unit_values(concat(call("year"), " * 10000 + ", call("month"), " * 100 + ", call("day"))),
              "20240229, 19691231, 19700101, 20000301");
    EXPECT_EQ(unit_values(concat(call("hour"), " * 10000 + ", call("minute"), " * 100 + ",
                            call("second"))),
              "131415, 235959, 0, 1");
    EXPECT_EQ(unit_values(call("dayofyear")), "60, 365, 1, 61");
  }
  EXPECT_EQ(unit_values("epoch(s)"), "1709212455, -1, 0, 951868801");
  EXPECT_EQ(unit_values("epoch(zoned)"), "1709212455.5, -0.75, 0, 951868801");
  EXPECT_EQ(unit_values("hour(clock) * 10000 + minute(clock) * 100 + second(clock)"),
            "131415, 0, 235959, 0");
  EXPECT_EQ(unit_values("year(far)"), "-292277022657, 1, 9999, 292277026596");
  EXPECT_NE(unit_error("year(clock)").find("expected a date or time for year, got \"clock\" (time)"),
            std::string::npos)
      << unit_error("year(clock)");
}

// Compares with std::chrono, whose years have 16 bits, in the 400 years that repeat.
TEST(TimeUnits, PartsOfAllInstantsAreThoseOfTheCalendar) {
  using namespace std::chrono;
  constexpr uint64_t kTimes = 5'000;
  constexpr int64_t kEra = 146'097;
  std::mt19937_64 draw(5);
  for (const Type::Unit unit :
       {Type::Second, Type::Millisecond, Type::Microsecond, Type::Nanosecond}) {
    const int64_t a_day = kNanosecondsADay / nanoseconds_of(unit);
    std::vector<int64_t> times = {INT64_MIN, INT64_MAX, INT64_MIN + 1, -1, 0};
    while (times.size() < kTimes) {
      const int64_t any = static_cast<int64_t>(draw()) >> draw() % 64;
      times.push_back(any);
      if (any > INT64_MIN / 2) times.push_back(any / a_day * a_day - static_cast<int64_t>(draw() % 2));
    }
    times.resize(kTimes);
    Query query(TableMaker(kTimes).fixed("t", Type::timestamp(unit), times).table());
    query.columns = {"year(t)", "month(t)", "day(t)", "dayofweek(t)", "dayofyear(t)"};
    const RowBatch batch = read(query.projection(), {0, kTimes});
    for (uint64_t i = 0; i < kTimes; ++i) {
      const int64_t day = times[i] / a_day - (times[i] % a_day < 0);
      const int64_t era = day / kEra - (day % kEra < 0);
      const sys_days in_era{days(static_cast<int>(day - era * kEra))};
      const year_month_day date(in_era);
      const auto got = [&](uint64_t k) { return batch.columns[k].get<int64_t>(i); };
      ASSERT_EQ(got(0), int{date.year()} + 400 * era) << times[i];
      ASSERT_EQ(got(1), unsigned{date.month()}) << times[i];
      ASSERT_EQ(got(2), unsigned{date.day()}) << times[i];
      ASSERT_EQ(got(3), weekday(in_era).c_encoding()) << times[i];
      ASSERT_EQ(got(4), (in_era - sys_days(date.year() / 1 / 1)).count() + 1) << times[i];
    }
  }
}

TEST(TimeUnits, TruncationKeepsTypeAndZone) {
  EXPECT_EQ(unit_values("date_trunc('minute', zoned)"),
            "2024-02-29T13:14:00Z, 1969-12-31T23:59:00Z, 1970-01-01T00:00:00Z, "
            "2000-03-01T00:00:00Z");
  EXPECT_EQ(unit_values("date_trunc('week', s)"),
            "2024-02-26T00:00:00, 1969-12-29T00:00:00, 1969-12-29T00:00:00, 2000-02-28T00:00:00");
  EXPECT_EQ(unit_type("date_trunc('year', zoned)"), "timestamp[us, Europe/Berlin]");
  // Units that the type does not divide.
  EXPECT_EQ(unit_values("date_trunc('microsecond', s)"), unit_values("s"));
  EXPECT_EQ(unit_values("date_trunc('microsecond', ms)"), unit_values("ms"));
  EXPECT_NE(unit_error("date_trunc('year', far)").find("does not hold the start of this year"),
            std::string::npos);
}

TEST(TimeUnits, AreComparedExactly) {
  EXPECT_EQ(selected_rows("ms = us and us = ns"), "0123");
  EXPECT_EQ(selected_rows("s = us"), "23");
  EXPECT_EQ(selected_rows("s < ms"), "01");
  EXPECT_EQ(selected_rows("us > s"), "01");
  EXPECT_EQ(selected_rows("far < ns"), "01");  // products of more than 64 bits
  EXPECT_EQ(selected_rows("far > ns"), "23");
  EXPECT_EQ(selected_rows("utc <= zoned"), "0123");
  EXPECT_EQ(selected_rows("utc = zoned"), "23");
  EXPECT_EQ(selected_rows("span = ticks"), "01");
  EXPECT_EQ(selected_rows("span < ticks"), "2");
  EXPECT_EQ(selected_rows("us between s and ms"), "0123");
  EXPECT_EQ(selected_rows("us in (s, ns)"), "0123");
  EXPECT_EQ(selected_rows("us > cast('2000-03-01T00:00:00.999' as timestamp[ms])"), "03");
  EXPECT_EQ(selected_rows("s > cast('1969-12-31T23:59:58.999999999' as timestamp)"), "0123");
  EXPECT_NE(unit_error("us = zoned").find("expected timestamp[us] beside \"us\" (timestamp[us]), got "
                                     "\"zoned\" (timestamp[us, Europe/Berlin])"),
            std::string::npos)
      << unit_error("us = zoned");
  EXPECT_NE(unit_error("us = span").find("expected timestamp[us] beside"), std::string::npos);
}

TEST(TimeUnits, ChoicesAreInTheFinerUnit) {
  EXPECT_EQ(unit_type("coalesce(us, ms)"), "timestamp[us]");
  EXPECT_EQ(unit_type("coalesce(s, ns, ms)"), "timestamp[ns]");
  EXPECT_EQ(unit_values("case when ms > '1970-01-01' then s else us end"),
            "2024-02-29T13:14:15, 1969-12-31T23:59:59.250000, 1970-01-01T00:00:00, "
            "2000-03-01T00:00:01");
  EXPECT_EQ(unit_values("coalesce(nullif(ms, '1970-01-01'), s, '2001-02-03T04:05:06.789')"),
            unit_values("ms"));
  EXPECT_EQ(unit_values("coalesce(nullif(s, s), '2001-02-03T04:05:06.789', ms)"),
            "2001-02-03T04:05:06.789, 2001-02-03T04:05:06.789, 2001-02-03T04:05:06.789, "
            "2001-02-03T04:05:06.789");
  EXPECT_EQ(unit_values("least(s, us)"),
            "2024-02-29T13:14:15, 1969-12-31T23:59:59, 1970-01-01T00:00:00, 2000-03-01T00:00:01");
  EXPECT_EQ(unit_type("coalesce(zoned, utc)"), "timestamp[us, UTC]");
  EXPECT_EQ(unit_type("coalesce(zoned, date_trunc('day', zoned))"), "timestamp[us, Europe/Berlin]");
  EXPECT_EQ(unit_values("case when utc < '2000-01-01' then utc else zoned end"),
            "2024-02-29T13:14:15.500000Z, 1969-12-31T23:59:59Z, 1970-01-01T00:00:00Z, "
            "2000-03-01T00:00:01Z");
  EXPECT_EQ(unit_type("greatest(span, ticks)"), "duration");
  EXPECT_EQ(selected_rows("coalesce(s, ms) = date_trunc('second', ns)"), "0123");
  // A row fails only if its value lies beyond the finer unit.
  EXPECT_EQ(unit_values("case when far < '2200-01-01' and far > '1900-01-01' then far else ns end"),
            unit_values("ns"));
  const std::string error = unit_error("coalesce(far, ns)");
  EXPECT_NE(error.find("timestamp[ns]"), std::string::npos) << error;
  EXPECT_NE(unit_error("coalesce(us, zoned)").find("expected timestamp[us] beside"),
            std::string::npos);
  EXPECT_NE(unit_error("coalesce(us, span)").find("expected timestamp[us] beside"),
            std::string::npos);
}

TEST(TimeUnits, LiteralsHaveTheDigitsAndTheZoneOfTheType) {
  EXPECT_EQ(selected_rows("ms >= '1970-01-01' and ms < '2024-02-29T13:14:15.500'"), "23");
  EXPECT_EQ(selected_rows("zoned = '2024-02-29T14:14:15.5+01:00'"), "0");
  EXPECT_EQ(selected_rows("zoned = '2024-02-29T13:14:15.5Z' or zoned = '1970-01-01'"), "02");
  EXPECT_EQ(selected_rows("far in ('0001-01-01', '9999-12-31T23:59:59')"), "12");
  EXPECT_EQ(selected_rows("clock >= '13:14:15.5'"), "02");
  EXPECT_EQ(selected_rows("clock between '00:00:00' and '00:00:00.000001'"), "13");
  EXPECT_EQ(selected_rows("span = '1.01:01:01.001'"), "0");
  EXPECT_NE(unit_error("s = '2024-02-29T13:14:15.5'").find("expected a time such as"), std::string::npos);
  EXPECT_NE(unit_error("us = '2024-02-29T13:14:15Z'").find("expected a time such as 2026-11-21T10:20:30 "
                                                      "for"),
            std::string::npos);
  EXPECT_NE(unit_error("clock = '24:00:00'").find("expected a time of day such as 10:20:30"),
            std::string::npos);
}

TEST(TimeUnits, CastsDropWhatTheUnitDoesNotHold) {
  EXPECT_EQ(unit_values("cast(us as timestamp[s])"), unit_values("s"));
  EXPECT_EQ(unit_values("cast(s as timestamp[ms])"),
            "2024-02-29T13:14:15, 1969-12-31T23:59:59, 1970-01-01T00:00:00, 2000-03-01T00:00:01");
  EXPECT_EQ(unit_values("cast(ns as datetime)"),
            "2024-02-29T13:14:15.5000000, 1969-12-31T23:59:59.2500000, 1970-01-01T00:00:00, "
            "2000-03-01T00:00:01");
  EXPECT_EQ(unit_values("cast(zoned as timestamp[us])"), unit_values("us"));
  EXPECT_EQ(unit_values("cast(us as time)"),
            "13:14:15.500000000, 23:59:59.250000000, 00:00:00, 00:00:01");
  EXPECT_EQ(unit_values("cast(ms as date32)"), "2024-02-29, 1969-12-31, 1970-01-01, 2000-03-01");
  EXPECT_EQ(unit_values("cast(cast(ms as date) as timestamp[us])"),
            "2024-02-29T00:00:00, 1969-12-31T00:00:00, 1970-01-01T00:00:00, 2000-03-01T00:00:00");
  EXPECT_EQ(unit_values("try_cast(far as timestamp[ms])"),
            "null, 0001-01-01T00:00:00, 9999-12-31T23:59:59, null");
  EXPECT_EQ(unit_values("try_cast(far as date32)"), "null, 0001-01-01, 9999-12-31, null");
  EXPECT_NE(unit_error("cast(far as timestamp)").find("type timestamp[ns] does not hold"),
            std::string::npos);
  EXPECT_EQ(unit_values("cast(zoned as text)"), unit_values("zoned"));
  EXPECT_EQ(unit_values("cast(cast(clock as text) as time)"), unit_values("clock"));
  EXPECT_EQ(unit_values("cast('10:20:30.25' as time)").substr(0, 18), "10:20:30.250000000");
  EXPECT_EQ(unit_values("cast(span as duration[s])"), "1.01:01:01, -00:00:01, 00:00:00, "
                                                 "106751991167.07:12:55");
  EXPECT_EQ(unit_values("try_cast(span as duration)"), "1.01:01:01.0010000, -00:00:00.0010000, "
                                                  "00:00:00, null");
  EXPECT_NE(unit_error("cast(s as duration)").find("cannot be cast to duration"), std::string::npos);
  EXPECT_NE(unit_error("cast(s as timestamp[us, UTC])"), "");
  EXPECT_NE(unit_error("cast(s as timestamp[u])").find("no type \"timestamp[u]\"; did you mean "
                                                  "\"timestamp[us]\"?"),
            std::string::npos);
}

TEST(TimeUnits, CastsToDaysSelectRows) {
  for (const std::string column : {"s", "ms", "us", "ns", "zoned"}) {
    EXPECT_EQ(selected_rows(concat("cast(", column, " as date) = '1969-12-31'")), "1");
    EXPECT_EQ(selected_rows(concat("cast(", column, " as date) > '1969-12-31'")), "023");
    EXPECT_EQ(selected_rows(concat("year(", column, ") < 2000")), "12");
    EXPECT_EQ(selected_rows(concat("date_trunc('month', ", column, ") >= '2000-03-01'")), "03");
  }
  EXPECT_EQ(selected_rows("try_cast(far as date) < '2000-01-01'"), "1");
  EXPECT_EQ(selected_rows("year(far) >= 9999"), "23");
}

std::string unit_aggregates(const std::string& text) {
  const auto table = unit_table();
  const RowBatch batch = aggregate(Query(table), parse_aggregates(*table, text));
  std::string all;
  for (const Values& column : batch.columns) {
    all += concat(all.empty() ? "" : ", ", to_text(column, 0), " ", column.type.name());
  }
  return all;
}

TEST(TimeUnits, AggregatesKeepUnitAndZone) {
  EXPECT_EQ(unit_aggregates("min(zoned), max(zoned)"),
            "1969-12-31T23:59:59.250000Z timestamp[us, Europe/Berlin], "
            "2024-02-29T13:14:15.500000Z timestamp[us, Europe/Berlin]");
  EXPECT_EQ(unit_aggregates("median(ms), quantile(clock, 1), mode(span)"),
            "1970-01-01T00:00:00 timestamp[ms], 23:59:59.999999999 time, "
            "1.01:01:01.001 duration[ms]");
  EXPECT_EQ(unit_aggregates("distinct(s), count(clock)"), "4 uint64, 4 uint64");
}

}  // namespace
}  // namespace heron
