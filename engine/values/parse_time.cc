#include "values/parse_time.h"

#include <chrono>

#include "values/calendar.h"
#include "values/parse_whole.h"

namespace heron::inline v0 {
namespace {

// "2026-11-21" as days since 1970-01-01.
std::optional<int64_t> parse_date(std::string_view text) {
  const bool negative = text.starts_with('-');
  const size_t month_at = text.find('-', negative);
  if (month_at == std::string_view::npos || text.size() != month_at + 6 ||
      text[month_at + 3] != '-') {
    return std::nullopt;
  }
  int year = 0;
  unsigned month = 0, day = 0;
  if (!parse_whole(text.substr(0, month_at), year) ||
      !parse_whole(text.substr(month_at + 1, 2), month) ||
      !parse_whole(text.substr(month_at + 4, 2), day) || year < -32767 || year > 32767) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

// A time unit: how many make a second, and the day it counts from, in days since 1970.
struct Clock {
  int64_t second;
  size_t digits;  // of a second's fraction
  int64_t day_zero;

  int64_t day() const { return 86400 * second; }
};
constexpr Clock kNanoseconds{1'000'000'000, 9, 0};
constexpr Clock kTicks{10'000'000, 7, -719162};

// "10:20:30.5".
std::optional<int64_t> parse_time_of_day(std::string_view text, const Clock& clock) {
  unsigned hour = 0, minute = 0, second = 0;
  if (text.size() < 8 || text[2] != ':' || text[5] != ':' ||
      !parse_whole(text.substr(0, 2), hour) || !parse_whole(text.substr(3, 2), minute) ||
      !parse_whole(text.substr(6, 2), second) || hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  uint64_t fraction = 0;
  if (text.size() > 8) {
    const std::string_view digits = text.substr(9);
    if (text[8] != '.' || digits.empty() || digits.size() > clock.digits ||
        !parse_whole(digits, fraction)) {
      return std::nullopt;
    }
    for (size_t i = digits.size(); i < clock.digits; ++i) fraction *= 10;
  }
  return ((hour * 60 + minute) * 60 + second) * clock.second + static_cast<int64_t>(fraction);
}

// A date without a time is its midnight.
std::optional<int64_t> parse_date_and_time(std::string_view text, const Clock& clock) {
  const size_t time_at = text.find_first_of("T ");
  const auto date = parse_date(text.substr(0, time_at));
  if (!date) return std::nullopt;
  int64_t time = 0;
  if (time_at != std::string_view::npos) {
    const auto of_day = parse_time_of_day(text.substr(time_at + 1), clock);
    if (!of_day) return std::nullopt;
    time = *of_day;
  }
  int64_t days = *date - clock.day_zero;
  if (days < 0) {  // the earliest times are in a day whose midnight overflows
    ++days;
    time -= clock.day();
  }
  int64_t units = 0;
  if (__builtin_mul_overflow(days, clock.day(), &units) ||
      __builtin_add_overflow(units, time, &units)) {
    return std::nullopt;
  }
  return units;
}

// "-1.02:03:04.5".
std::optional<int64_t> parse_duration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  uint32_t days = 0;
  if (const size_t point = text.find('.'); point < text.find(':')) {
    if (!parse_whole(text.substr(0, point), days)) return std::nullopt;
    text.remove_prefix(point + 1);
  }
  const auto time = parse_time_of_day(text, kTicks);
  if (!time) return std::nullopt;
  const int64_t sign = negative ? -1 : 1;
  int64_t ticks = 0;
  if (__builtin_mul_overflow(int64_t{days}, sign * kTicks.day(), &ticks) ||
      __builtin_add_overflow(ticks, sign * *time, &ticks)) {
    return std::nullopt;
  }
  return ticks;
}

// Removes "Z" or "+02:00" from the end; returns the minutes ahead of UTC.
std::optional<int64_t> take_offset(std::string_view& text) {
  if (text.ends_with('Z')) {
    text.remove_suffix(1);
    return 0;
  }
  if (text.size() < 6) return std::nullopt;
  const std::string_view offset = text.substr(text.size() - 6);
  unsigned hours = 0, minutes = 0;
  if ((offset[0] != '+' && offset[0] != '-') || offset[3] != ':' ||
      !parse_whole(offset.substr(1, 2), hours) || !parse_whole(offset.substr(4, 2), minutes) ||
      minutes > 59 || hours * 60 + minutes > unsigned{kMostMinutes}) {
    return std::nullopt;
  }
  text.remove_suffix(6);
  const auto ahead = static_cast<int64_t>(hours * 60 + minutes);
  return offset[0] == '-' ? -ahead : ahead;
}

std::optional<int64_t> parse_date_and_time_with_offset(std::string_view text) {
  const auto minutes = take_offset(text);
  if (!minutes) return std::nullopt;
  const auto local = parse_date_and_time(text, kTicks);
  int64_t instant = 0;
  if (!local || __builtin_sub_overflow(*local, *minutes * kTicksPerMinute, &instant)) {
    return std::nullopt;
  }
  return instant;
}

}  // namespace

bool is_time(const Type& type) {
  return !expected_time(type).empty();
}

std::optional<int64_t> parse_time(const Type& type, std::string_view text) {
  if (int64_t integer = 0; parse_whole(text, integer)) return integer;
  return parse_iso_time(type, text);
}

std::optional<int64_t> parse_iso_time(const Type& type, std::string_view text) {
  switch (type.id()) {
    case Type::Date32: return parse_date(text);
    case Type::Timestamp: return parse_date_and_time(text, kNanoseconds);
    case Type::DateTime: return parse_date_and_time(text, kTicks);
    case Type::Duration: return parse_duration(text);
    case Type::DateTimeOffset: return parse_date_and_time_with_offset(text);
    default: return std::nullopt;
  }
}

std::string_view expected_time(const Type& type) {
  switch (type.id()) {
    case Type::Date32: return "a date such as 2026-11-21";
    case Type::Timestamp:
    case Type::DateTime: return "a time such as 2026-11-21T10:20:30";
    case Type::Duration: return "a duration such as 1.10:20:30";
    case Type::DateTimeOffset: return "a time such as 2026-11-21T10:20:30+02:00";
    default: return {};
  }
}

}  // namespace heron::inline v0
