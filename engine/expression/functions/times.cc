// Functions of dates and times. A datetimeoffset counts as its instant in UTC.
#include <algorithm>

#include "expression/functions/function.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

// How a type counts time.
struct Clock {
  int64_t units_a_second;  // 0: it counts days
  int64_t zero_days;       // the day of 0, in days since 1970

  int64_t units_a_day() const noexcept { return units_a_second == 0 ? 1 : 86'400 * units_a_second; }
};

Clock clock_of(const Type& type) {
  switch (type.id()) {
    case Type::Date32: return {0, 0};
    case Type::Timestamp: return {1'000'000'000, 0};
    default: return {10'000'000, kYearOne.count()};
  }
}

int64_t floor_div(int64_t value, int64_t by) noexcept {
  const int64_t quotient = value / by;
  return quotient - (value % by < 0);
}

struct Date {
  int64_t year;
  int64_t month, day;  // from 1
};

constexpr int64_t kDaysBefore1970 = 719'468;  // since 0000-03-01

// The Gregorian calendar of all years, as days_from_civil() of std::chrono's author: years begin in
// March, so that the day of a leap year is their last.
Date date_of(int64_t days) noexcept {
  days += kDaysBefore1970;
  const int64_t era = floor_div(days, 146'097);
  const auto of_era = static_cast<uint32_t>(days - era * 146'097);
  const uint32_t year = (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
  const uint32_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const uint32_t month = (5 * of_year + 2) / 153;
  return {year + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
          of_year - (153 * month + 2) / 5 + 1};
}

int64_t days_of(int64_t year, int64_t month) noexcept {
  year -= month <= 2;
  const int64_t era = floor_div(year, 400);
  const int64_t of_era = year - era * 400;
  const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;
  return era * 146'097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - kDaysBefore1970;
}

int64_t monday_of(int64_t days) noexcept {
  return days - (days + 3 - floor_div(days + 3, 7) * 7);
}

enum class Unit : uint8_t {
  Year,
  Quarter,
  Month,
  Week,
  Day,
  Hour,
  Minute,
  Second,
  Millisecond,
  Microsecond
};
struct NamedUnit {
  std::string_view name;
  Unit unit;
};
constexpr NamedUnit kUnits[] = {{"year", Unit::Year},
                                {"quarter", Unit::Quarter},
                                {"month", Unit::Month},
                                {"week", Unit::Week},
                                {"day", Unit::Day},
                                {"hour", Unit::Hour},
                                {"minute", Unit::Minute},
                                {"second", Unit::Second},
                                {"millisecond", Unit::Millisecond},
                                {"microsecond", Unit::Microsecond}};

// Calls work(row, days since 1970, units since midnight) for each active row of an argument.
template <class Work>
void each_instant(const KernelCall& call, size_t argument, Work work) {
  const Clock clock = clock_of(call.expression.parts[argument].type);
  const int64_t a_day = clock.units_a_day();
  const auto* from = call.argument<int64_t>(argument);
  call.each([&](uint64_t i) {
    const int64_t rest = from[i] % a_day;
    work(i, floor_div(from[i], a_day) + clock.zero_days, rest < 0 ? rest + a_day : rest, clock);
  });
}

template <class Part>
void part_kernel(const KernelCall& call, Part part) {
  auto* to = call.result<int64_t>();
  each_instant(call, 0,
               [&](uint64_t i, int64_t days, int64_t, const Clock&) { to[i] = part(days); });
}

void year_kernel(const KernelCall& call) {
  part_kernel(call, [](int64_t days) { return date_of(days).year; });
}
void quarter_kernel(const KernelCall& call) {
  part_kernel(call, [](int64_t days) { return (date_of(days).month + 2) / 3; });
}
void month_kernel(const KernelCall& call) {
  part_kernel(call, [](int64_t days) { return date_of(days).month; });
}
void day_kernel(const KernelCall& call) {
  part_kernel(call, [](int64_t days) { return date_of(days).day; });
}
void day_of_year_kernel(const KernelCall& call) {
  part_kernel(call, [](int64_t days) { return days - days_of(date_of(days).year, 1) + 1; });
}
void day_of_week_kernel(const KernelCall& call) {
  part_kernel(call, [](int64_t days) { return days + 4 - floor_div(days + 4, 7) * 7; });
}

// The part of a day that counts `seconds` each, of `count` in the next larger one.
template <int64_t kSeconds, int64_t kCount>
void clock_kernel(const KernelCall& call) {
  auto* to = call.result<int64_t>();
  each_instant(call, 0, [&](uint64_t i, int64_t, int64_t units, const Clock& clock) {
    to[i] = clock.units_a_second == 0 ? 0 : units / (clock.units_a_second * kSeconds) % kCount;
  });
}

void epoch_kernel(const KernelCall& call) {
  auto* to = call.result<double>();
  each_instant(call, 0, [&](uint64_t i, int64_t days, int64_t units, const Clock& clock) {
    const double second = static_cast<double>(days) * 86'400;
    to[i] = clock.units_a_second == 0
                ? second
                : second + static_cast<double>(units) / static_cast<double>(clock.units_a_second);
  });
}

int64_t first_day(int64_t days, Unit unit) noexcept {
  if (unit == Unit::Week) return monday_of(days);
  if (unit > Unit::Week) return days;
  const Date date = date_of(days);
  const int64_t month = unit == Unit::Year      ? 1
                        : unit == Unit::Quarter ? (date.month - 1) / 3 * 3 + 1
                                                : date.month;
  return days_of(date.year, month);
}

int64_t units_of(Unit unit, const Clock& clock) noexcept {
  switch (unit) {
    case Unit::Hour: return 3600 * clock.units_a_second;
    case Unit::Minute: return 60 * clock.units_a_second;
    case Unit::Second: return clock.units_a_second;
    case Unit::Millisecond: return clock.units_a_second / 1000;
    default: return clock.units_a_second / 1'000'000;
  }
}

void date_trunc_kernel(const KernelCall& call) {
  const auto unit = static_cast<Unit>(call.expression.option);
  const Interval<Int128> range = integer_range(call.expression.type);
  auto* to = call.result<int64_t>();
  each_instant(call, 1, [&](uint64_t i, int64_t days, int64_t units, const Clock& clock) {
    const int64_t kept =
        unit <= Unit::Day || clock.units_a_second == 0 ? 0 : units - units % units_of(unit, clock);
    const Int128 start =
        Int128{first_day(days, unit) - clock.zero_days} * clock.units_a_day() + kept;
    if (start < range.low || start > range.high) {
      call.fail("type ", call.expression.type.name(), " does not hold the start of this ",
                kUnits[call.expression.option].name);
    }
    to[i] = static_cast<int64_t>(start);
  });
}

void shape_date_trunc(Expression& call, const SourceText&) {
  const Type& type = call.parts[1].type;
  call.value = ValueKind::Integer;
  call.type = type.is(Type::DateTimeOffset) ? Type(Type::DateTime) : type;
  call.range = integer_range(call.type);
}

using P = Parameter;
constexpr Function kTimeFunctions[] = {
    {"year", "time", {P::Instant}, 1, 1, Result::Int64, year_kernel, "its year"},
    {"quarter", "time", {P::Instant}, 1, 1, Result::Int64, quarter_kernel, "1 to 4"},
    {"month", "time", {P::Instant}, 1, 1, Result::Int64, month_kernel, "1 to 12"},
    {"day", "time", {P::Instant}, 1, 1, Result::Int64, day_kernel, "the day of the month, 1 to 31"},
    {"dayofyear", "time", {P::Instant}, 1, 1, Result::Int64, day_of_year_kernel, "1 to 366"},
    {"dayofweek",
     "time",
     {P::Instant},
     1,
     1,
     Result::Int64,
     day_of_week_kernel,
     "0, a Sunday, to 6"},
    {"hour", "time", {P::Instant}, 1, 1, Result::Int64, clock_kernel<3600, 24>, "0 to 23"},
    {"minute", "time", {P::Instant}, 1, 1, Result::Int64, clock_kernel<60, 60>, "0 to 59"},
    {"second", "time", {P::Instant}, 1, 1, Result::Int64, clock_kernel<1, 60>, "0 to 59"},
    {"epoch",
     "time",
     {P::Instant},
     1,
     1,
     Result::Float64,
     epoch_kernel,
     "seconds since 1970-01-01T00:00"},
    {"date_trunc",
     "unit, time",
     {P::Unit, P::Instant},
     2,
     2,
     Result::Shaped,
     date_trunc_kernel,
     "the start of its year, quarter, month, week (a Monday), day, hour, minute, second, "
     "millisecond or microsecond",
     false,
     shape_date_trunc},
};

}  // namespace

std::span<const Function> time_functions() {
  return kTimeFunctions;
}

std::optional<uint8_t> find_unit(std::string_view name) {
  for (const auto& [known, unit] : kUnits) {
    if (name == known || (name.ends_with('s') && name.substr(0, name.size() - 1) == known)) {
      return static_cast<uint8_t>(unit);
    }
  }
  return std::nullopt;
}

}  // namespace heron::inline v0
