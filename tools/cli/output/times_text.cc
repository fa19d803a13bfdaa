#include "output/times_text.h"

#include "values/times.h"

namespace heron::cli {

void append_date(Sink& sink, int64_t days) {
  sink.advance(put_date(sink.room(kMostTimeText), days));
}

void append_timestamp(Sink& sink, int64_t nanoseconds) {
  sink.advance(put_timestamp(sink.room(kMostTimeText), nanoseconds));
}

void append_datetime(Sink& sink, int64_t ticks) {
  sink.advance(put_datetime(sink.room(kMostTimeText), ticks));
}

void append_datetimeoffset(Sink& sink, const DateTimeOffset& value) {
  sink.advance(put_datetimeoffset(sink.room(kMostTimeText), value));
}

void append_duration(Sink& sink, int64_t ticks) {
  sink.advance(put_duration(sink.room(kMostTimeText), ticks));
}

AppendTime time_appender(const Type& type) noexcept {
  switch (type.id()) {
    case Type::Date32: return append_date;
    case Type::Timestamp: return append_timestamp;
    case Type::DateTime: return append_datetime;
    case Type::Duration: return append_duration;
    default: return nullptr;
  }
}

}  // namespace heron::cli
