// Times counted in ticks since year 1: a file can hold numbers that are no time.
#pragma once

#include <cstdint>

#include "heron/values.h"

namespace heron::inline v0 {

inline constexpr int64_t kLastTick = 3'155'378'975'999'999'999;  // of year 9999
inline constexpr int64_t kTicksPerMinute = 600'000'000;
inline constexpr int16_t kMostMinutes = 14 * 60;  // between a local clock and UTC

inline bool in_calendar(int64_t ticks) noexcept {
  return static_cast<uint64_t>(ticks) <= static_cast<uint64_t>(kLastTick);
}
// When it is in UTC, in ticks.
inline int64_t instant_of(const DateTimeOffset& time) noexcept {
  const int64_t ahead = time.minutes * kTicksPerMinute;
  return static_cast<int64_t>(static_cast<uint64_t>(time.ticks) - static_cast<uint64_t>(ahead));
}
// The local clock's time and that of UTC are in it, and lie within 14 hours.
bool in_calendar(const DateTimeOffset& time) noexcept;

// The first row of datetimes or datetimeoffsets that is there and is no time; values.rows if all
// are times.
uint64_t first_outside_calendar(const Values& values) noexcept;

}  // namespace heron::inline v0
