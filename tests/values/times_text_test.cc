// Text of dates, times and durations, over the whole range of the calendar and beyond.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "values/times.h"

namespace heron {
namespace {

constexpr int64_t kMinimum = std::numeric_limits<int64_t>::min();
constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();

template <class Put, class Time>
std::string time_text(Put put, const Time& time) {
  std::array<char, kMaxTimeText> text;
  return {text.data(), put(text.data(), time)};
}

std::string date(int64_t days) {
  return time_text(put_date, days);
}
std::string text_of(const Type& type, int64_t value) {
  std::array<char, kMaxTimeText> text;
  return {text.data(), put_time(text.data(), type, value)};
}
std::string timestamp(int64_t nanoseconds) {
  return text_of(Type::Timestamp, nanoseconds);
}
std::string datetime(int64_t ticks) {
  return text_of(Type::DateTime, ticks);
}
std::string datetimeoffset(int64_t ticks, int16_t minutes) {
  return time_text(put_datetimeoffset, DateTimeOffset{ticks, minutes, {}});
}
std::string duration(int64_t ticks) {
  return text_of(Type::Duration, ticks);
}

TEST(TimesText, UnitsHaveTheirDigits) {
  const auto timestamp = [](Type::Unit unit, int64_t value, const char* zone = "") {
    return text_of(Type::timestamp(unit, zone), value);
  };
  EXPECT_EQ(timestamp(Type::Second, -1), "1969-12-31T23:59:59");
  EXPECT_EQ(timestamp(Type::Millisecond, 1'500), "1970-01-01T00:00:01.500");
  EXPECT_EQ(timestamp(Type::Microsecond, 1'000'001, "UTC"), "1970-01-01T00:00:01.000001Z");
  EXPECT_EQ(timestamp(Type::Second, 253'402'300'799, "Europe/Berlin"), "9999-12-31T23:59:59Z");
  EXPECT_EQ(text_of(Type::duration(Type::Second), -90'061), "-1.01:01:01");
  EXPECT_EQ(text_of(Type::duration(Type::Nanosecond), 1), "00:00:00.000000001");
  EXPECT_EQ(text_of(Type::Time, 45'000'000'000'500), "12:30:00.000000500");
}

TEST(TimesText, DatesFollowTheGregorianCalendarInBothDirections) {
  EXPECT_EQ(date(0), "1970-01-01");
  EXPECT_EQ(date(-1), "1969-12-31");
  EXPECT_EQ(date(18321), "2020-02-29");
  EXPECT_EQ(date(-25509), "1900-02-28");
  EXPECT_EQ(date(-25508), "1900-03-01");
  EXPECT_EQ(date(11016), "2000-02-29");
  EXPECT_EQ(date(-719528), "0000-01-01");
  EXPECT_EQ(date(-719529), "-0001-12-31");
  EXPECT_EQ(date(2932896), "9999-12-31");
  EXPECT_EQ(date(2932897), "10000-01-01");
  EXPECT_EQ(date(std::numeric_limits<int32_t>::max()), "5881580-07-11");
}

TEST(TimesText, EveryDayFollowsTheOneBefore) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int64_t days = -719528;
  for (int year = 0; year < 2400; ++year) {
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    for (int month = 1; month <= 12; ++month) {
      char expected[32];
      std::snprintf(expected, sizeof expected, "%04d-%02d-01", year, month);
      ASSERT_EQ(date(days), expected);
      days += kDays[month - 1] + (leap && month == 2 ? 1 : 0);
    }
  }
}

TEST(TimesText, TimestampsHaveAFractionOnlyIfThereIsOne) {
  EXPECT_EQ(timestamp(0), "1970-01-01T00:00:00");
  EXPECT_EQ(timestamp(-1), "1969-12-31T23:59:59.999999999");
  EXPECT_EQ(timestamp(1'000'000'000'000'000'000), "2001-09-09T01:46:40");
  EXPECT_EQ(timestamp(1'500'000'000), "1970-01-01T00:00:01.500000000");
  EXPECT_EQ(timestamp(kMinimum + 1), "1677-09-21T00:12:43.145224193");
  EXPECT_EQ(timestamp(kGreatest), "2262-04-11T23:47:16.854775807");
}

TEST(TimesText, DatetimesCountFromTheFirstYear) {
  EXPECT_EQ(datetime(0), "0001-01-01T00:00:00");
  EXPECT_EQ(datetime(1), "0001-01-01T00:00:00.0000001");
  EXPECT_EQ(datetime(3'155'378'975'999'999'999), "9999-12-31T23:59:59.9999999");
  EXPECT_EQ(datetime(621'355'968'000'000'000), "1970-01-01T00:00:00");
  EXPECT_EQ(datetime(637'134'336'005'000'000), "2020-01-01T00:00:00.5000000");
}

TEST(TimesText, WhatNoCalendarHasIsShownToo) {
  EXPECT_EQ(datetime(-1), "0000-12-31T23:59:59.9999999");
  EXPECT_EQ(datetime(3'155'378'976'000'000'000), "10000-01-01T00:00:00");
  EXPECT_EQ(datetime(kMinimum), "-29227-04-19T21:11:54.5224192");
  EXPECT_EQ(datetime(kGreatest), "29228-09-14T02:48:05.4775807");
  EXPECT_EQ(datetimeoffset(kMinimum, -32768), "-29227-04-19T21:11:54.5224192-546:08");
}

TEST(TimesText, OffsetsAreHoursAndMinutes) {
  constexpr int64_t kTime = 637'134'336'000'000'000;
  EXPECT_EQ(datetimeoffset(kTime, 120), "2020-01-01T00:00:00+02:00");
  EXPECT_EQ(datetimeoffset(kTime, 0), "2020-01-01T00:00:00+00:00");
  EXPECT_EQ(datetimeoffset(kTime + 1, -210), "2020-01-01T00:00:00.0000001-03:30");
  EXPECT_EQ(datetimeoffset(kTime, 840), "2020-01-01T00:00:00+14:00");
  EXPECT_EQ(datetimeoffset(kTime, -1), "2020-01-01T00:00:00-00:01");
}

TEST(TimesText, DurationsHaveDaysAndAFractionOnlyIfThereAreAny) {
  EXPECT_EQ(duration(0), "00:00:00");
  EXPECT_EQ(duration(1), "00:00:00.0000001");
  EXPECT_EQ(duration(-1), "-00:00:00.0000001");
  EXPECT_EQ(duration(863'999'999'999), "23:59:59.9999999");
  EXPECT_EQ(duration(864'000'000'000), "1.00:00:00");
  EXPECT_EQ(duration(-937'840'050'000), "-1.02:03:04.0050000");
  EXPECT_EQ(duration(kGreatest), "10675199.02:48:05.4775807");
  EXPECT_EQ(duration(kMinimum), "-10675199.02:48:05.4775808");
}

}  // namespace
}  // namespace heron
