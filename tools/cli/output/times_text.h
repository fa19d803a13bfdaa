// Dates, times and durations as text: ISO 8601, and durations as .NET prints them. Every number has
// a text, even outside the calendar: years go below 0 and above 9999.
#pragma once

#include <cstdint>

#include "heron/schema.h"
#include "output/sink.h"

namespace heron::cli {

// "2026-11-21"; a year has at least four digits.
void append_date(Sink& sink, int64_t days);
// "2026-11-21T18:30:00", with nine digits of a second if they are not all zero.
void append_timestamp(Sink& sink, int64_t nanoseconds);
// The same from ticks of 100 ns since 0001-01-01T00:00, with seven digits.
void append_datetime(Sink& sink, int64_t ticks);
// Followed by the offset of the clock from UTC: "+02:00".
void append_datetimeoffset(Sink& sink, const DateTimeOffset& value);
// "-1.02:03:04.0050000": days unless 0, seven digits of a second if they are not all zero.
void append_duration(Sink& sink, int64_t ticks);

// The function for values of the type; null if its values are not a single integer that counts
// time.
using AppendTime = void (*)(Sink&, int64_t);
AppendTime time_appender(const Type& type) noexcept;

}  // namespace heron::cli
