// Times counted in ticks since year 1, and the range that the calendar allows.
#pragma once

#include <cstdint>

#include "heron/values.h"

namespace heron::inline v0 {

inline constexpr int64_t kLastTick = 3'155'378'975'999'999'999;  // end of year 9999
inline constexpr int64_t kTicksPerMinute = 600'000'000;
inline constexpr int16_t kMostMinutes = 14 * 60;  // between a local clock and UTC

inline bool in_calendar(int64_t ticks) noexcept {
  return static_cast<uint64_t>(ticks) <= static_cast<uint64_t>(kLastTick);
}
// The time in UTC, in ticks.
inline int64_t instant_of(const DateTimeOffset& time) noexcept {
  const int64_t ahead = time.minutes * kTicksPerMinute;
  return static_cast<int64_t>(static_cast<uint64_t>(time.ticks) - static_cast<uint64_t>(ahead));
}
// Whether local time and UTC are in the calendar and differ by 14 hours at most.
bool in_calendar(const DateTimeOffset& time) noexcept;

// The first row of datetimes or datetimeoffsets that is not null and outside the calendar;
// values.rows if there is none.
uint64_t first_outside_calendar(const Values& values) noexcept;

}  // namespace heron::inline v0
