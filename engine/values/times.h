// Dates, times and durations: what their types count, the range of the calendar, and their text,
// which is ISO 8601, and for durations .NET's. No other code does this; the rules of the calendar
// are std::chrono's.
//
//   date32           days since 1970-01-01
//   timestamp        units since 1970-01-01T00:00; with a time zone since then in UTC
//   datetime         ticks of 100 ns since 0001-01-01T00:00, up to year 9999
//   datetimeoffset   ticks of 100 ns of a local clock, and the minutes that it is ahead of UTC
//   duration         units
//   time             nanoseconds since midnight
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ratio>
#include <string_view>

#include "base/int128.h"
#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0 {

using TickDuration = std::chrono::duration<int64_t, std::ratio<1, 10'000'000>>;

// 0001-01-01, in days since 1970.
inline constexpr std::chrono::days kYearOne =
    std::chrono::sys_days(std::chrono::year(1) / 1 / 1).time_since_epoch();
inline constexpr int64_t kTicksBefore1970 = TickDuration(-kYearOne).count();  // since year 1
inline constexpr int64_t kLastTick =                                          // end of year 9999
    TickDuration(std::chrono::sys_days(std::chrono::year(10'000) / 1 / 1).time_since_epoch() -
                 kYearOne)
        .count() -
    1;
inline constexpr int64_t kTicksPerMinute = TickDuration(std::chrono::minutes(1)).count();
inline constexpr int16_t kMaxMinutes = 14 * 60;  // between a local clock and UTC

// Returns whether values of the type are dates, times, times of day or durations.
bool is_time(const Type& type);
// Returns the timestamp or duration of that name: "timestamp[us, Europe/Berlin]", "duration[ns]".
std::optional<Type> time_type_named(std::string_view name);
// Returns whether values of the type are points of time: dates and times.
bool is_instant(const Type& type);

constexpr int64_t units_a_second(Type::Unit unit) noexcept {
  switch (unit) {
    case Type::Second: return 1;
    case Type::Millisecond: return 1'000;
    case Type::Microsecond: return 1'000'000;
    case Type::Tick: return TickDuration::period::den;
    case Type::Nanosecond: break;
  }
  return 1'000'000'000;
}

// "us", as in names of types.
constexpr std::string_view unit_name(Type::Unit unit) noexcept {
  switch (unit) {
    case Type::Second: return "s";
    case Type::Millisecond: return "ms";
    case Type::Microsecond: return "us";
    case Type::Tick: return "100ns";
    case Type::Nanosecond: break;
  }
  return "ns";
}

inline constexpr int64_t kSecondsADay = 86'400;
inline constexpr int64_t kNanosecondsASecond = units_a_second(Type::Nanosecond);
inline constexpr int64_t kNanosecondsADay = kSecondsADay * kNanosecondsASecond;
constexpr int64_t nanoseconds_of(Type::Unit unit) noexcept {
  return kNanosecondsASecond / units_a_second(unit);
}

// How a type counts points of time.
struct Clock {
  int64_t units_a_second;  // 0: it counts days
  int64_t zero_days;       // the day of 0, in days since 1970

  int64_t units_a_day() const noexcept {
    return units_a_second == 0 ? 1 : kSecondsADay * units_a_second;
  }
};
// The type is a date32, timestamp, datetime, datetimeoffset or time.
Clock clock_of(const Type& type) noexcept;
// Nanoseconds since 1970-01-01T00:00 that a value of the clock counts.
inline Int128 nanoseconds_since_1970(const Clock& clock, int64_t value) noexcept {
  if (clock.units_a_second == 0) return value * Int128{kNanosecondsADay};
  return value * Int128{kNanosecondsASecond / clock.units_a_second} +
         clock.zero_days * Int128{kNanosecondsADay};
}

inline bool in_calendar(int64_t ticks) noexcept {
  return static_cast<uint64_t>(ticks) <= static_cast<uint64_t>(kLastTick);
}
// The time in UTC, in ticks.
inline int64_t instant_of(const DateTimeOffset& time) noexcept {
  const int64_t ahead = time.minutes * kTicksPerMinute;
  return static_cast<int64_t>(static_cast<uint64_t>(time.ticks) - static_cast<uint64_t>(ahead));
}
// Returns whether local time and UTC are in the calendar and differ by 14 hours at most.
bool in_calendar(const DateTimeOffset& time) noexcept;
// The first row of datetimes or datetimeoffsets that is not null and outside the calendar;
// values.rows if there is none.
uint64_t first_outside_calendar(const Values& values) noexcept;

// Parses "2026-11-21" (dates and times), "2026-11-21T10:20:30.5" (times, with as many digits as the
// type can hold), "10:20:30.5" (times of day), "-1.02:03:04.5" (durations) into the integer that a
// column of the type stores. A datetimeoffset ends in Z or "+02:00" and returns its instant in UTC;
// a timestamp with a time zone may, and is in UTC if it does not. Nullopt if the text is none of
// these.
std::optional<int64_t> parse_iso_time(const Type& type, std::string_view text);
// Parses a time followed by Z or an offset, "+02:00", "+0200" or "+02", into units since
// 1970-01-01T00:00 in UTC. Nullopt if the text is none, or if 64 bits do not hold it.
std::optional<int64_t> parse_utc_timestamp(Type::Unit unit, std::string_view text);
// Parses a time as parse_iso_time() does, or an integer as the stored number. Not for user input,
// where 2026 is a year.
std::optional<int64_t> parse_time(const Type& type, std::string_view text);
// "a date such as 2026-11-21": what parse_iso_time() accepts, for error texts.
std::string_view expected_time(const Type& type);

// Every number has a text, even outside the calendar: years go below 0 and above 9999. The
// functions write at most kMaxTimeText bytes to `out` and return their end.
inline constexpr size_t kMaxTimeText = 64;

// Puts "2026-11-21"; a year has at least four digits.
char* put_date(char* out, int64_t days) noexcept;
// Puts the integer of a date32, timestamp, datetime, time or duration: "2026-11-21",
// "2026-11-21T18:30:00", "18:30:00", "-1.02:03:04" (days unless 0). All digits of a second that the
// type has follow if they are not all zero, then a Z if it has a time zone.
char* put_time(char* out, const Type& type, int64_t value) noexcept;
// Puts the local time as put_time() does, then the offset of the clock from UTC: "+02:00".
char* put_datetimeoffset(char* out, const DateTimeOffset& time) noexcept;

}  // namespace heron::inline v0
