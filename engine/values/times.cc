#include "values/times.h"

#include <charconv>

#include "values/cells.h"
#include "values/parse_whole.h"

namespace heron::inline v0 {
namespace {

namespace chrono = std::chrono;

template <class Unit>
constexpr int64_t kUnitsADay = Unit(chrono::days(1)).count();
template <class Unit>
constexpr size_t kFractionDigits = chrono::hh_mm_ss<Unit>::fractional_width;
static_assert(kFractionDigits<TickDuration> == 7 && kFractionDigits<chrono::nanoseconds> == 9);

template <class Cell>
struct AnyOutside {
  HERON_INLINE static bool run(const std::byte* cells, uint64_t count) {
    bool outside = false;
    for (uint64_t i = 0; i < count; ++i) outside |= !in_calendar(load_cell<Cell>(cells, i));
    return outside;
  }
};

template <class Cell>
uint64_t first_outside(const Values& values) noexcept {
  if (!dispatch<AnyOutside<Cell>>(values.data.data, values.rows)) return values.rows;
  uint64_t row = 0;
  while (row < values.rows &&
         (in_calendar(cell_of<Cell>(values, row)) || values.is_null(row))) {
    ++row;
  }
  return row;
}

// Returns false unless both are digits.
bool parse_two_digits(const char* text, unsigned& number) noexcept {
  const unsigned tens = static_cast<unsigned char>(text[0]) - unsigned{'0'};
  const unsigned ones = static_cast<unsigned char>(text[1]) - unsigned{'0'};
  number = 10 * tens + ones;
  return tens < 10 && ones < 10;
}

// Parses "2026-11-21" into days since 1970-01-01.
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
      !parse_two_digits(&text[month_at + 1], month) ||
      !parse_two_digits(&text[month_at + 4], day) || year < int{chrono::year::min()} ||
      year > int{chrono::year::max()}) {
    return std::nullopt;
  }
  const chrono::year_month_day date{chrono::year(year), chrono::month(month), chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  return chrono::sys_days(date).time_since_epoch().count();
}

// Parses "10:20:30.5".
template <class Unit>
std::optional<Unit> parse_time_of_day(std::string_view text) {
  unsigned hour = 0, minute = 0, second = 0;
  if (text.size() < 8 || text[2] != ':' || text[5] != ':' || !parse_two_digits(&text[0], hour) ||
      !parse_two_digits(&text[3], minute) || !parse_two_digits(&text[6], second) || hour > 23 ||
      minute > 59 || second > 59) {
    return std::nullopt;
  }
  int64_t fraction = 0;
  if (text.size() > 8) {
    std::string_view digits = text.substr(9);
    while (digits.size() > kFractionDigits<Unit> && digits.ends_with('0')) digits.remove_suffix(1);
    uint64_t number = 0;
    if (text[8] != '.' || text.size() == 9 || digits.size() > kFractionDigits<Unit> ||
        (!digits.empty() && !parse_whole(digits, number))) {
      return std::nullopt;
    }
    for (size_t i = digits.size(); i < kFractionDigits<Unit>; ++i) number *= 10;
    fraction = static_cast<int64_t>(number);
  }
  return chrono::hours(hour) + chrono::minutes(minute) + chrono::seconds(second) + Unit(fraction);
}

// Parses a time into units since midnight of `zero`, a day counted from 1970. A date without a time
// is its midnight.
template <class Unit>
std::optional<int64_t> parse_instant(std::string_view text, chrono::days zero) {
  const size_t time_at = text.find_first_of("T ");
  const auto date = parse_date(text.substr(0, time_at));
  if (!date) return std::nullopt;
  int64_t time = 0;
  if (time_at != std::string_view::npos) {
    const auto of_day = parse_time_of_day<Unit>(text.substr(time_at + 1));
    if (!of_day) return std::nullopt;
    time = of_day->count();
  }
  int64_t since = *date - zero.count();
  if (since < 0) {  // the earliest times are in a day whose midnight overflows
    ++since;
    time -= kUnitsADay<Unit>;
  }
  int64_t units = 0;
  if (__builtin_mul_overflow(since, kUnitsADay<Unit>, &units) ||
      __builtin_add_overflow(units, time, &units)) {
    return std::nullopt;
  }
  return units;
}

// Parses "-1.02:03:04.5".
template <class Unit>
std::optional<int64_t> parse_duration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  uint64_t whole_days = 0;  // at most 106,751,991,167,300, in a duration of seconds
  if (const size_t point = text.find('.'); point < text.find(':')) {
    if (!parse_whole(text.substr(0, point), whole_days)) return std::nullopt;
    text.remove_prefix(point + 1);
  }
  const auto time = parse_time_of_day<Unit>(text);
  if (!time) return std::nullopt;
  const int64_t sign = negative ? -1 : 1;
  int64_t units = 0;
  if (__builtin_mul_overflow(whole_days, sign * kUnitsADay<Unit>, &units) ||
      __builtin_add_overflow(units, sign * time->count(), &units)) {
    return std::nullopt;
  }
  return units;
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
      !parse_two_digits(&offset[1], hours) || !parse_two_digits(&offset[4], minutes) ||
      minutes > 59 || hours * 60 + minutes > unsigned{kMaxMinutes}) {
    return std::nullopt;
  }
  text.remove_suffix(6);
  const auto ahead = static_cast<int64_t>(hours * 60 + minutes);
  return offset[0] == '-' ? -ahead : ahead;
}

// Parses "+02:00", "+0200" or "+02" into minutes ahead of UTC.
std::optional<int64_t> parse_offset(std::string_view text) {
  unsigned hours = 0, minutes = 0;
  const bool has_colon = text.size() == 6 && text[3] == ':';
  if ((text.size() != 3 && text.size() != 5 && !has_colon) || !parse_two_digits(&text[1], hours))
    return std::nullopt;
  if (text.size() != 3 && !parse_two_digits(&text[text.size() - 2], minutes)) return std::nullopt;
  if (minutes > 59 || hours * 60 + minutes > unsigned{kMaxMinutes}) return std::nullopt;
  const auto ahead = static_cast<int64_t>(hours * 60 + minutes);
  return text[0] == '-' ? -ahead : ahead;
}

// Parses a time that ends in Z or an offset into units in UTC; without either it is in UTC unless
// `needs_offset`.
template <class Unit>
std::optional<int64_t> parse_in_zone(std::string_view text, chrono::days zero, bool needs_offset) {
  const auto minutes = take_offset(text);
  if (!minutes && needs_offset) return std::nullopt;
  const auto local = parse_instant<Unit>(text, zero);
  const int64_t ahead = minutes.value_or(0) * Unit(chrono::minutes(1)).count();
  int64_t instant = 0;
  if (!local || __builtin_sub_overflow(*local, ahead, &instant)) return std::nullopt;
  return instant;
}

// Calls visit.operator()<Unit>() with the std::chrono::duration of a unit.
template <class Visit>
decltype(auto) visit_unit(Type::Unit unit, Visit&& visit) {
  switch (unit) {
    case Type::Second: return visit.template operator()<chrono::seconds>();
    case Type::Millisecond: return visit.template operator()<chrono::milliseconds>();
    case Type::Microsecond: return visit.template operator()<chrono::microseconds>();
    case Type::Tick: return visit.template operator()<TickDuration>();
    case Type::Nanosecond: break;
  }
  return visit.template operator()<chrono::nanoseconds>();
}

char* put_digits(char* out, uint64_t number, size_t digits) noexcept {
  for (size_t i = digits; i-- > 0; number /= 10) out[i] = static_cast<char>('0' + number % 10);
  return out + digits;
}

char* put_number(char* out, uint64_t number) noexcept {
  return std::to_chars(out, out + 20, number).ptr;
}

uint64_t magnitude(int64_t number) noexcept {
  const auto bits = static_cast<uint64_t>(number);
  return number < 0 ? 0 - bits : bits;  // the minimum has no positive counterpart
}

// Puts "18:30:00" with an optional fraction; from 0 to a day.
template <class Unit>
char* put_time_of_day(char* out, Unit time) noexcept {
  const chrono::hh_mm_ss<Unit> clock(time);
  out = put_digits(out, static_cast<uint64_t>(clock.hours().count()), 2);
  *out++ = ':';
  out = put_digits(out, static_cast<uint64_t>(clock.minutes().count()), 2);
  *out++ = ':';
  out = put_digits(out, static_cast<uint64_t>(clock.seconds().count()), 2);
  const int64_t fraction = clock.subseconds().count();
  if (fraction == 0) return out;
  *out++ = '.';
  return put_digits(out, static_cast<uint64_t>(fraction), kFractionDigits<Unit>);
}

// `zero`: day 0 of `units`, in days since 1970.
template <class Unit>
char* put_instant(char* out, int64_t units, chrono::days zero) noexcept {
  int64_t day = units / kUnitsADay<Unit>, of_day = units % kUnitsADay<Unit>;
  if (of_day < 0) {
    of_day += kUnitsADay<Unit>;
    --day;
  }
  out = put_date(out, day + zero.count());
  *out++ = 'T';
  return put_time_of_day(out, Unit(of_day));
}

template <class Unit>
char* put_duration(char* out, int64_t units) noexcept {
  constexpr uint64_t kDay = kUnitsADay<Unit>;
  if (units < 0) *out++ = '-';
  if (const uint64_t whole_days = magnitude(units) / kDay; whole_days > 0) {
    out = put_number(out, whole_days);
    *out++ = '.';
  }
  return put_time_of_day(out, Unit(static_cast<int64_t>(magnitude(units) % kDay)));
}

}  // namespace

bool is_time(const Type& type) {
  return !expected_time(type).empty();
}

std::optional<Type> time_type_named(std::string_view name) {
  const size_t open = name.find('[');
  if (open == name.npos || !name.ends_with(']')) return std::nullopt;
  const std::string_view kind = name.substr(0, open);
  const std::string_view inside = name.substr(open + 1, name.size() - open - 2);
  const size_t comma = inside.find(", ");
  const std::string_view zone = comma == inside.npos ? "" : inside.substr(comma + 2);
  for (const auto unit : {Type::Second, Type::Millisecond, Type::Microsecond, Type::Nanosecond}) {
    Type type = kind == "duration" ? Type::duration(unit)
                                   : Type::timestamp(unit, std::string(zone));
    if (type.name() == name) return type;
  }
  return std::nullopt;
}

bool is_instant(const Type& type) {
  return is_time(type) && !type.is(Type::Duration) && !type.is(Type::Time);
}

Clock clock_of(const Type& type) noexcept {
  switch (type.id()) {
    case Type::Date32: return {0, 0};
    case Type::Timestamp: return {units_a_second(type.unit()), 0};
    case Type::Time: return {units_a_second(Type::Nanosecond), 0};
    default: return {units_a_second(Type::Tick), kYearOne.count()};
  }
}

bool in_calendar(const DateTimeOffset& time) noexcept {
  return in_calendar(time.ticks) && time.minutes >= -kMaxMinutes && time.minutes <= kMaxMinutes &&
         in_calendar(time.ticks - time.minutes * kTicksPerMinute);
}

uint64_t first_outside_calendar(const Values& values) noexcept {
  return values.type.is(Type::DateTime) ? first_outside<int64_t>(values)
                                        : first_outside<DateTimeOffset>(values);
}

std::optional<int64_t> parse_time(const Type& type, std::string_view text) {
  if (int64_t integer = 0; parse_whole(text, integer)) return integer;
  return parse_iso_time(type, text);
}

std::optional<int64_t> parse_iso_time(const Type& type, std::string_view text) {
  constexpr chrono::days k1970(0);
  switch (type.id()) {
    case Type::Date32: return parse_date(text);
    case Type::Timestamp:
      return visit_unit(type.unit(), [&]<class Unit>() {
        return type.zone().empty() ? parse_instant<Unit>(text, k1970)
                                   : parse_in_zone<Unit>(text, k1970, false);
      });
    case Type::DateTime: return parse_instant<TickDuration>(text, kYearOne);
    case Type::Duration:
      return visit_unit(type.unit(), [&]<class Unit>() { return parse_duration<Unit>(text); });
    case Type::DateTimeOffset: return parse_in_zone<TickDuration>(text, kYearOne, true);
    case Type::Time: {
      const auto time = parse_time_of_day<chrono::nanoseconds>(text);
      return time ? std::optional(time->count()) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

std::optional<int64_t> parse_utc_timestamp(Type::Unit unit, std::string_view text) {
  const size_t time_at = text.find_first_of("T ");
  if (time_at == text.npos) return std::nullopt;
  const size_t zone_at = text.find_first_of("Z+-", time_at);
  if (zone_at == text.npos) return std::nullopt;
  const bool is_z = text.substr(zone_at) == "Z";
  const auto minutes = is_z ? std::optional<int64_t>(0) : parse_offset(text.substr(zone_at));
  const auto local = visit_unit(unit, [&]<class Unit>() {
    return parse_instant<Unit>(text.substr(0, zone_at), chrono::days(0));
  });
  int64_t instant = 0;
  if (!minutes || !local ||
      __builtin_sub_overflow(*local, *minutes * 60 * units_a_second(unit), &instant)) {
    return std::nullopt;
  }
  return instant;
}

std::string_view expected_time(const Type& type) {
  switch (type.id()) {
    case Type::Date32: return "a date such as 2026-11-21";
    case Type::Timestamp:
      return type.zone().empty() ? "a time such as 2026-11-21T10:20:30"
                                 : "a time such as 2026-11-21T10:20:30Z";
    case Type::DateTime: return "a time such as 2026-11-21T10:20:30";
    case Type::Time: return "a time of day such as 10:20:30";
    case Type::Duration: return "a duration such as 1.10:20:30";
    case Type::DateTimeOffset: return "a time such as 2026-11-21T10:20:30+02:00";
    default: return {};
  }
}

// The calendar repeats every 400 years, and a year of std::chrono has 16 bits.
char* put_date(char* out, int64_t days_since_1970) noexcept {
  constexpr int64_t kEraYears = 400, kEraDays = 146'097;
  int64_t era = days_since_1970 / kEraDays, day = days_since_1970 % kEraDays;
  if (day < 0) {
    day += kEraDays;
    --era;
  }
  const chrono::year_month_day date{chrono::sys_days(chrono::days(day))};
  const int64_t year = int{date.year()} + era * kEraYears;
  if (year < 0) *out++ = '-';
  out = magnitude(year) < 10'000 ? put_digits(out, magnitude(year), 4)
                                 : put_number(out, magnitude(year));
  *out++ = '-';
  out = put_digits(out, unsigned{date.month()}, 2);
  *out++ = '-';
  return put_digits(out, unsigned{date.day()}, 2);
}

char* put_datetimeoffset(char* out, const DateTimeOffset& time) noexcept {
  out = put_instant<TickDuration>(out, time.ticks, kYearOne);
  const uint64_t minutes = magnitude(time.minutes);
  *out++ = time.minutes < 0 ? '-' : '+';
  out = minutes / 60 < 100 ? put_digits(out, minutes / 60, 2) : put_number(out, minutes / 60);
  *out++ = ':';
  return put_digits(out, minutes % 60, 2);
}

char* put_time(char* out, const Type& type, int64_t value) noexcept {
  switch (type.id()) {
    case Type::Date32: return put_date(out, value);
    case Type::Timestamp:
      out = visit_unit(type.unit(), [&]<class Unit>() {
        return put_instant<Unit>(out, value, chrono::days(0));
      });
      if (!type.zone().empty()) *out++ = 'Z';
      return out;
    case Type::DateTime: return put_instant<TickDuration>(out, value, kYearOne);
    case Type::Time: return put_time_of_day(out, chrono::nanoseconds(value));
    default:
      return visit_unit(type.unit(), [&]<class Unit>() { return put_duration<Unit>(out, value); });
  }
}

}  // namespace heron::inline v0
