// Functions of dates and times. A datetimeoffset counts as its instant in UTC.
#include <algorithm>
#include <bit>

#include "expression/functions/cell_kernels.h"
#include "expression/functions/function.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

int64_t floor_div(int64_t value, int64_t by) noexcept {
  const int64_t quotient = value / by;
  return quotient - (value % by < 0);
}

constexpr double kDaysBefore1970 = 719'468;  // days from 0000-03-01 to 1970

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

// Whole numbers below in this file are float64, so that loops become vectors. A sum with this one
// is rounded to a whole number.
constexpr double kRounding = 0x1.8p52;

// Returns the quotient of whole numbers, rounded down: a half added to the dividend keeps it
// farther from whole numbers than rounding can carry it.
HERON_INLINE double floor_quotient(double whole, double by) noexcept {
  return ((whole + 0.5) * (1 / by) - 0.5 + kRounding) - kRounding;
}

HERON_INLINE int64_t to_integer(double whole) noexcept {
  return std::bit_cast<int64_t>(whole + kRounding) - std::bit_cast<int64_t>(kRounding);
}

// Computes the day of an instant, since 1970, where a day has 2^kShift times kRest units.
template <unsigned kShift, int64_t kRest, int64_t kZeroDays>
struct DayOf {
  HERON_INLINE double operator()(int64_t units) const noexcept {
    // Shifts 2^63 units up, so that the shift is logical; the number fits into 52 bits.
    constexpr double kMagic = 0x1p52, kTop = static_cast<double>(uint64_t{1} << (63 - kShift));
    const uint64_t shifted = (static_cast<uint64_t>(units) ^ uint64_t{1} << 63) >> kShift;
    const double number = std::bit_cast<double>(shifted | std::bit_cast<uint64_t>(kMagic)) - kMagic;
    return floor_quotient(number - kTop, static_cast<double>(kRest)) + kZeroDays;
  }
};
using DayOfNanoseconds = DayOf<16, 1'318'359'375, 0>;
using DayOfMicroseconds = DayOf<13, 10'546'875, 0>;
using DayOfTicks = DayOf<14, 52'734'375, kYearOne.count()>;
static_assert((int64_t{1'318'359'375} << 16) == kNanosecondsADay);
static_assert((int64_t{10'546'875} << 13) == kSecondsADay * int64_t{1'000'000});
static_assert((int64_t{52'734'375} << 14) == kSecondsADay * int64_t{10'000'000});

// Computes the day of an instant of seconds or milliseconds, of which a day has too few for
// DayOf.
template <int64_t kUnitsADay>
struct DayByDivision {
  HERON_INLINE double operator()(int64_t units) const noexcept {
    return static_cast<double>(floor_div(units, kUnitsADay));
  }
};

struct DayOfDate {
  HERON_INLINE double operator()(int64_t days) const noexcept {
    return static_cast<double>(static_cast<int32_t>(days));
  }
};

// The Gregorian calendar of all years, as Neri and Schneider compute it: years begin in March, so
// that the day of a leap year is their last.
struct Date {
  double year, month, day;  // counted from 1

  HERON_INLINE explicit Date(double days) noexcept {
    const double quarters = 4 * (days + kDaysBefore1970) + 3;
    const double century = floor_quotient(quarters, 146'097);
    const double of_century = floor_quotient(quarters - century * 146'097, 4);
    const double year_of_century = floor_quotient(4 * of_century + 3, 1461);
    const double day_of_march_year =  // counted from 0
        floor_quotient(4 * of_century + 3 - year_of_century * 1461, 4);
    const double is_next_year = floor_quotient(day_of_march_year, 306);  // 1: January, February
    const double fifths = 5 * day_of_march_year + 461;
    const double march_month = floor_quotient(fifths, 153);
    year = 100 * century + year_of_century + is_next_year;
    month = march_month - 12 * is_next_year;
    day = floor_quotient(fifths - march_month * 153, 5) + 1;
  }
};

// Sets to[i] = part(day of instant i), for all rows.
template <class To, class Part>
void map_days(const KernelCall& call, size_t argument, To* to, Part part) {
  const auto* from = call.argument<int64_t>(argument);
  const auto map = [&](auto day_of) {
    map_each([day_of, part](int64_t instant) { return part(day_of(instant)); }, call.rows, to,
             from);
  };
  const Type& type = call.expression.parts[argument].type;
  if (type.is(Type::Date32)) return map(DayOfDate());
  if (!type.is(Type::Timestamp)) return map(DayOfTicks());
  switch (type.unit()) {
    case Type::Second: return map(DayByDivision<kSecondsADay>());
    case Type::Millisecond: return map(DayByDivision<1'000 * kSecondsADay>());
    case Type::Microsecond: return map(DayOfMicroseconds());
    default: return map(DayOfNanoseconds());
  }
}

template <class Part>
void part_kernel(const KernelCall& call, Part part) {
  map_days(call, 0, call.result<int64_t>(), [part](double days) {
    return to_integer(part(days));
  });
}

void year_kernel(const KernelCall& call) {
  part_kernel(call, [](double days) { return Date(days).year; });
}
void quarter_kernel(const KernelCall& call) {
  part_kernel(call, [](double days) { return floor_quotient(Date(days).month + 2, 3); });
}
void month_kernel(const KernelCall& call) {
  part_kernel(call, [](double days) { return Date(days).month; });
}
void day_kernel(const KernelCall& call) {
  part_kernel(call, [](double days) { return Date(days).day; });
}

// Returns the first day of a year, since 1970.
HERON_INLINE double new_year(double year) noexcept {
  const double before = year - 1;
  return 365 * before + floor_quotient(before, 4) - floor_quotient(before, 100) +
         floor_quotient(before, 400) + static_cast<double>(kYearOne.count());
}

void day_of_year_kernel(const KernelCall& call) {
  part_kernel(call, [](double days) { return days - new_year(Date(days).year) + 1; });
}
void day_of_week_kernel(const KernelCall& call) {
  part_kernel(call, [](double days) { return days + 4 - 7 * floor_quotient(days + 4, 7); });
}

// Computes a part of a day: units of kSeconds, of which the next larger unit has kCount.
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
    const double second = static_cast<double>(days) * kSecondsADay;
    to[i] = clock.units_a_second == 0
                ? second
                : second + static_cast<double>(units) / static_cast<double>(clock.units_a_second);
  });
}

void write_first_days(const KernelCall& call, Unit unit, double* to) {
  switch (unit) {
    case Unit::Year:
      return map_days(call, 1, to, [](double days) { return new_year(Date(days).year); });
    case Unit::Quarter:
      // Quarters begin on days 0, 90, 181 and 273 of a year, in a leap year a day later from the
      // second on.
      return map_days(call, 1, to, [](double days) {
        const Date date(days);
        const double month = 3 * floor_quotient(date.month - 1, 3) + 1;
        const double leap = new_year(date.year + 1) - new_year(date.year) - 365;
        const double quarter = floor_quotient(month, 3);  // counted from 0
        return new_year(date.year) + 91 * quarter +
               (leap - 1) * floor_quotient(quarter + 2, 3) + floor_quotient(quarter, 3);
      });
    case Unit::Month:
      return map_days(call, 1, to, [](double days) { return days - Date(days).day + 1; });
    case Unit::Week:
      return map_days(call, 1, to,
                      [](double days) { return 7 * floor_quotient(days + 3, 7) - 3; });
    default: return map_days(call, 1, to, [](double days) { return days; });
  }
}

int64_t units_of(Unit unit, const Clock& clock) noexcept {
  switch (unit) {
    case Unit::Hour: return 3600 * clock.units_a_second;
    case Unit::Minute: return 60 * clock.units_a_second;
    case Unit::Second: return clock.units_a_second;
    // Units that are longer are parts of themselves.
    case Unit::Millisecond: return std::max<int64_t>(clock.units_a_second / 1000, 1);
    default: return std::max<int64_t>(clock.units_a_second / 1'000'000, 1);
  }
}

void date_trunc_kernel(const KernelCall& call) {
  const auto unit = static_cast<Unit>(call.expression.option);
  const Interval<Int128> range = integer_range(call.expression.type);
  const Clock clock = clock_of(call.expression.parts[1].type);
  const auto* from = call.argument<int64_t>(1);
  auto* to = call.result<int64_t>();
  const auto set = [&](uint64_t i, bool overflows, int64_t start) {
    if (overflows || start < range.low || start > range.high) {
      call.fail("type ", call.expression.type.name(), " does not hold the start of this ",
                kUnits[call.expression.option].name);
    }
    to[i] = start;
  };
  if (unit > Unit::Day) {
    if (clock.units_a_second == 0) return void(std::copy_n(from, call.rows, to));
    const int64_t units = units_of(unit, clock);
    return call.each([&](uint64_t i) {
      const int64_t rest = from[i] % units;
      int64_t start = 0;
      const bool overflows =
          __builtin_sub_overflow(from[i], rest < 0 ? rest + units : rest, &start);
      set(i, overflows, start);
    });
  }
  double first_days[kVectorRows];
  write_first_days(call, unit, first_days);
  call.each([&](uint64_t i) {
    int64_t start = 0;
    const bool overflows = __builtin_mul_overflow(
        static_cast<int64_t>(first_days[i]) - clock.zero_days, clock.units_a_day(), &start);
    set(i, overflows, start);
  });
}

void shape_date_trunc(Expression& call, const SourceText&) {
  const Type& type = call.parts[1].type;
  call.value = ValueKind::Integer;
  call.type = type.is(Type::DateTimeOffset) ? Type(Type::DateTime) : type;
  call.range = integer_range(call.type);
  // The least timestamp is not the start of a microsecond or of a longer unit.
  if (call.type.is(Type::Timestamp)) ++call.range.low;
}

// Sets bounds of the results: with them, keys of groups have few bits.
template <int kLow, int kHigh>
void shape_within(Expression& call, const SourceText&) {
  call.range = {kLow, kHigh};
}

using P = Parameter;
template <int kLow, int kHigh>
constexpr Function part_of_time(std::string_view name, void (*kernel)(const KernelCall&),
                                std::string_view help) {
  constexpr auto kInt64 = Result::Int64;
  return {name, "time", {P::Instant}, 1, 1, kInt64, kernel, help, false, shape_within<kLow, kHigh>};
}
template <int64_t kSeconds, int kCount>
constexpr Function part_of_day(std::string_view name, std::string_view help) {
  Function function = part_of_time<0, kCount - 1>(name, clock_kernel<kSeconds, kCount>, help);
  function.parameters = {P::Clock};
  return function;
}

constexpr Function kTimeFunctions[] = {
    {"year", "time", {P::Instant}, 1, 1, Result::Int64, year_kernel, "its year"},
    part_of_time<1, 4>("quarter", quarter_kernel, "1 to 4"),
    part_of_time<1, 12>("month", month_kernel, "1 to 12"),
    part_of_time<1, 31>("day", day_kernel, "the day of the month, 1 to 31"),
    part_of_time<1, 366>("dayofyear", day_of_year_kernel, "1 to 366"),
    part_of_time<0, 6>("dayofweek", day_of_week_kernel, "0, a Sunday, to 6"),
    part_of_day<3600, 24>("hour", "0 to 23"),
    part_of_day<60, 60>("minute", "0 to 59"),
    part_of_day<1, 60>("second", "0 to 59"),
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
