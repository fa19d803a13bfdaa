// Appends dates, times and durations to a sink, as values/times.h writes them.
#pragma once

#include <cstdint>

#include "heron/schema.h"
#include "output/sink.h"

namespace heron::cli {

void append_date(Sink& sink, int64_t days);
void append_timestamp(Sink& sink, int64_t nanoseconds);
void append_datetime(Sink& sink, int64_t ticks);
void append_datetimeoffset(Sink& sink, const DateTimeOffset& value);
void append_duration(Sink& sink, int64_t ticks);

// The function for values of the type; null if its values are not a single integer that counts
// time.
using AppendTime = void (*)(Sink&, int64_t);
AppendTime time_appender(const Type& type) noexcept;

}  // namespace heron::cli
