// Times: the range of the calendar, values outside of it, and text both ways.
#include "values/times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "columns/fixed_column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

TEST(Calendar, has_all_ticks_of_years_1_to_9999) {
  EXPECT_TRUE(in_calendar(0));
  EXPECT_TRUE(in_calendar(kLastTick));
  EXPECT_FALSE(in_calendar(-1));
  EXPECT_FALSE(in_calendar(kLastTick + 1));
}

TEST(Calendar, has_local_times_whose_utc_it_has) {
  EXPECT_TRUE(in_calendar(DateTimeOffset{840 * kTicksPerMinute, 840}));
  EXPECT_TRUE(in_calendar(DateTimeOffset{kLastTick - 840 * kTicksPerMinute, -840}));
  EXPECT_FALSE(in_calendar(DateTimeOffset{840 * kTicksPerMinute - 1, 840}));
  EXPECT_FALSE(in_calendar(DateTimeOffset{kLastTick, -1}));
  EXPECT_FALSE(in_calendar(DateTimeOffset{kLastTick / 2, 841}));
  EXPECT_FALSE(in_calendar(DateTimeOffset{kLastTick / 2, -841}));
  EXPECT_FALSE(in_calendar(DateTimeOffset{INT64_MIN, 0}));
}

TEST(Calendar, counts_from_year_1_to_9999) {
  EXPECT_EQ(kYearOne.count(), -719'162);
  EXPECT_EQ(kTicksBefore1970, 621'355'968'000'000'000);
  EXPECT_EQ(kLastTick, 3'155'378'975'999'999'999);
  EXPECT_EQ(kTicksPerMinute, 600'000'000);
}

TEST(Times, TheirTextIsParsedBack) {
  std::mt19937_64 random(3);
  const auto text_of = [](auto put, const auto& time) {
    std::array<char, kMaxTimeText> text;
    return std::string(text.data(), put(text.data(), time));
  };
  std::vector<int64_t> numbers = {INT64_MIN, INT64_MAX, INT64_MIN + 1, 0, -1, 1};
  for (int i = 0; i < 20'000; ++i) {
    numbers.push_back(static_cast<int64_t>(random()) >> random() % 64);
  }
  for (const int64_t number : numbers) {
    for (const Type& type : {Type(Type::Timestamp), Type(Type::DateTime), Type(Type::Duration),
                             Type::duration(Type::Second), Type::duration(Type::Millisecond),
                             Type::duration(Type::Microsecond),
                             Type::duration(Type::Nanosecond)}) {
      const auto put = [&](char* out, int64_t value) { return put_time(out, type, value); };
      const std::string text = text_of(put, number);
      EXPECT_EQ(parse_iso_time(type, text), number) << type.name() << ' ' << text;
    }
    const int64_t days = number % 11'000'000;  // years of 16 bits
    const std::string date = text_of(put_date, days);
    EXPECT_EQ(parse_iso_time(Type::Date32, date), days) << date;
    const DateTimeOffset local{number / 2, static_cast<int16_t>(number % 840), {}};
    const std::string with_offset = text_of(put_datetimeoffset, local);
    EXPECT_EQ(parse_iso_time(Type::DateTimeOffset, with_offset), instant_of(local)) << with_offset;
  }
}

class TimesTest : public testing::TestWithParam<bool> {};

TEST_P(TimesTest, one_that_is_none_costs_its_row) {
  TableMaker maker(4);
  maker.fixed<int64_t>("d", Type::DateTime, {7, -5, INT64_MIN, kLastTick}, NullEncoding::Sentinel);
  maker.fixed<DateTimeOffset>("o", Type::DateTimeOffset,
                              {{7, 0}, {7, 0}, {INT64_MIN, INT16_MIN}, {0, 900}},
                              NullEncoding::Sentinel);
  const auto table = maker.table(GetParam());
  const Projection d(table, std::vector<std::string>{"d"});
  const Projection o(table, std::vector<std::string>{"o"});
  EXPECT_THAT(error_of(ErrorKind::Corrupt,
                       [&] {
                         read(d, {0, 4});
                       }),
              HasSubstr("column \"d\" row 1: expected a time from year 1 to 9999, got -5 ticks"));
  const std::vector<uint64_t> rows{0, 2, 3};
  EXPECT_EQ(take(d, rows).columns[0].get<int64_t>(2), kLastTick);
  EXPECT_EQ(take(d, rows).columns[0].null_count, 1u);
  EXPECT_THAT(
      error_of(ErrorKind::Corrupt, [&] { take(o, rows); }),
      HasSubstr("column \"o\" row 3: expected a time from year 1 to 9999, got 900 minutes"));
  const RowBatch batch = read(o, {1, 3});
  EXPECT_EQ(batch.columns[0].get<DateTimeOffset>(0).ticks, 7);
  EXPECT_TRUE(batch.columns[0].is_null(1));
}

INSTANTIATE_TEST_SUITE_P(, TimesTest, testing::Bool());

}  // namespace
}  // namespace heron
