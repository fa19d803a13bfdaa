#include "output/times_text.h"

#include <charconv>

namespace heron::cli {
namespace {

// More than any of these texts needs.
constexpr size_t kTimeRoom = 64;

constexpr uint64_t kDaySeconds = 86'400;

char* put_digits(char* out, uint64_t number, int digits) {
  for (int i = digits - 1; i >= 0; --i, number /= 10) out[i] = static_cast<char>('0' + number % 10);
  return out + digits;
}

char* put_number(char* out, uint64_t number) {
  return std::to_chars(out, out + 20, number).ptr;
}

int64_t floor_divide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

uint64_t magnitude(int64_t number) {
  const auto bits = static_cast<uint64_t>(number);
  return number < 0 ? 0 - bits : bits;  // the minimum has no positive counterpart
}

// The proleptic Gregorian calendar, in eras of 400 years that begin on March 1, so that the leap
// day comes last.
char* put_date(char* out, int64_t days) {
  const int64_t from_march_0000 = days + 719468;
  const int64_t era = floor_divide(from_march_0000, 146097);
  const int64_t day_of_era = from_march_0000 - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);

  if (year < 0) *out++ = '-';
  out = magnitude(year) < 10000 ? put_digits(out, magnitude(year), 4)
                                : put_number(out, magnitude(year));
  *out++ = '-';
  out = put_digits(out, static_cast<uint64_t>(month), 2);
  *out++ = '-';
  return put_digits(out, static_cast<uint64_t>(day), 2);
}

// Units per second, and the number of digits they take.
struct Fraction {
  uint64_t in_second;
  int digits;
};
constexpr Fraction kNanoseconds{1'000'000'000, 9}, kTicks{10'000'000, 7};

// Time of day, as "18:30:00" with an optional fraction.
char* put_clock(char* out, uint64_t of_day, Fraction unit) {
  const uint64_t seconds = of_day / unit.in_second, fraction = of_day % unit.in_second;
  out = put_digits(out, seconds / 3600, 2);
  *out++ = ':';
  out = put_digits(out, seconds / 60 % 60, 2);
  *out++ = ':';
  out = put_digits(out, seconds % 60, 2);
  if (fraction == 0) return out;
  *out++ = '.';
  return put_digits(out, fraction, unit.digits);
}

// `day_zero`: day 0 of `units`, in days since 1970.
char* put_instant(char* out, int64_t units, Fraction unit, int64_t day_zero) {
  const auto day = static_cast<int64_t>(kDaySeconds * unit.in_second);
  const int64_t remainder = units % day;
  out = put_date(out, floor_divide(units, day) + day_zero);
  *out++ = 'T';
  return put_clock(out, static_cast<uint64_t>(remainder < 0 ? remainder + day : remainder), unit);
}

char* put_datetime(char* out, int64_t ticks) {
  constexpr int64_t kYearOne = -719'162;
  return put_instant(out, ticks, kTicks, kYearOne);
}

}  // namespace

void append_date(Sink& sink, int64_t days) {
  sink.advance(put_date(sink.room(kTimeRoom), days));
}

void append_timestamp(Sink& sink, int64_t nanoseconds) {
  sink.advance(put_instant(sink.room(kTimeRoom), nanoseconds, kNanoseconds, 0));
}

void append_datetime(Sink& sink, int64_t ticks) {
  sink.advance(put_datetime(sink.room(kTimeRoom), ticks));
}

void append_datetimeoffset(Sink& sink, const DateTimeOffset& value) {
  char* out = put_datetime(sink.room(kTimeRoom), value.ticks);
  const uint64_t minutes = magnitude(value.minutes);
  *out++ = value.minutes < 0 ? '-' : '+';
  out = minutes / 60 < 100 ? put_digits(out, minutes / 60, 2) : put_number(out, minutes / 60);
  *out++ = ':';
  sink.advance(put_digits(out, minutes % 60, 2));
}

void append_duration(Sink& sink, int64_t ticks) {
  constexpr uint64_t kDay = kDaySeconds * kTicks.in_second;
  char* out = sink.room(kTimeRoom);
  if (ticks < 0) *out++ = '-';
  if (const uint64_t days = magnitude(ticks) / kDay; days > 0) {
    out = put_number(out, days);
    *out++ = '.';
  }
  sink.advance(put_clock(out, magnitude(ticks) % kDay, kTicks));
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
