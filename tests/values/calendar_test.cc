// Times in ticks: the first and last that there are, and what is none.
#include "values/calendar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  const RowBatch there = read(o, {1, 3});
  EXPECT_EQ(there.columns[0].get<DateTimeOffset>(0).ticks, 7);
  EXPECT_TRUE(there.columns[0].is_null(1));
}

INSTANTIATE_TEST_SUITE_P(, TimesTest, testing::Bool());

}  // namespace
}  // namespace heron
