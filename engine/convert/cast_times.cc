#include "convert/cast_times.h"

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "values/cells.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

// What a type counts: the unit in nanoseconds, and the offset of 1970 from its zero.
template <class CellType, class Unit, int64_t k1970Since>
struct Counts {
  using Cell = CellType;
  static constexpr int64_t kUnit = std::chrono::nanoseconds(Unit(1)).count(), k1970 = k1970Since;
};
using DayCounts = Counts<int32_t, std::chrono::days, 0>;
template <class Unit>
using TimestampCounts = Counts<int64_t, Unit, 0>;
using TickCounts = Counts<int64_t, TickDuration, kTicksBefore1970>;

template <class Visit>
decltype(auto) visit_clock(const Type& type, Visit&& visit) {
  namespace chrono = std::chrono;
  if (type.is(Type::Date32)) return visit.template operator()<DayCounts>();
  if (type.is(Type::DateTime)) return visit.template operator()<TickCounts>();
  switch (type.unit()) {
    case Type::Second: return visit.template operator()<TimestampCounts<chrono::seconds>>();
    case Type::Millisecond:
      return visit.template operator()<TimestampCounts<chrono::milliseconds>>();
    case Type::Microsecond:
      return visit.template operator()<TimestampCounts<chrono::microseconds>>();
    default: return visit.template operator()<TimestampCounts<chrono::nanoseconds>>();
  }
}

template <class Clock>
bool is_instant_of(int64_t units) {
  if (std::is_same_v<Clock, TickCounts>) return in_calendar(units);
  return sizeof(typename Clock::Cell) == sizeof units || units == static_cast<int32_t>(units);
}

// Converts an instant to another type; false if that type does not have it.
template <class From, class To>
bool turn(int64_t units, typename To::Cell& to) {
  if (!is_instant_of<From>(units)) return false;
  units -= From::k1970;
  if constexpr (From::kUnit < To::kUnit) {
    constexpr int64_t kUnits = To::kUnit / From::kUnit;
    if (units % kUnits != 0) return false;
    units /= kUnits;
  } else if (__builtin_mul_overflow(units, From::kUnit / To::kUnit, &units)) {
    return false;
  }
  if (__builtin_add_overflow(units, To::k1970, &units) || !is_instant_of<To>(units)) return false;
  to = static_cast<typename To::Cell>(units);
  return true;
}

template <class From, class To>
std::optional<uint64_t> turn_cells(const Values& values, Values& into, Arena& arena) {
  const auto* from = values.data.as<typename From::Cell>();
  auto* to = arena.allocate_array<typename To::Cell>(values.rows);
  for (uint64_t row = 0; row < values.rows; ++row) {
    if (turn<From, To>(from[row], to[row])) continue;
    if (!values.is_null(row)) return row;
    to[row] = 0;
  }
  into.data = {reinterpret_cast<const std::byte*>(to), values.rows * sizeof *to};
  return std::nullopt;
}

std::optional<uint64_t> cast_durations(const Values& values, Values& into, Arena& arena) {
  const int64_t from = units_a_second(values.type.unit()), to = units_a_second(into.type.unit());
  const int64_t multiply = std::max<int64_t>(to / from, 1), divide = std::max<int64_t>(from / to, 1);
  auto* cells = arena.allocate_array<int64_t>(values.rows);
  for (uint64_t row = 0; row < values.rows; ++row) {
    const bool fits =
        !__builtin_mul_overflow(cell_of<int64_t>(values, row), multiply, &cells[row]) &&
        cells[row] % divide == 0;
    cells[row] = fits ? cells[row] / divide : 0;
    if (!fits && !values.is_null(row)) return row;
  }
  into.data = {reinterpret_cast<const std::byte*>(cells), values.rows * sizeof *cells};
  return std::nullopt;
}

}  // namespace

bool is_plain_instant(const Type& type) {
  return is_instant(type) && !type.is(Type::DateTimeOffset);
}

bool are_times_alike(const Type& a, const Type& b) {
  return (is_plain_instant(a) && is_plain_instant(b)) ||
         (a.is(Type::Duration) && b.is(Type::Duration));
}

std::optional<uint64_t> cast_times(const Values& values, Values& into, Arena& arena) {
  if (values.type.is(Type::Duration)) return cast_durations(values, into, arena);
  return visit_clock(values.type, [&]<class From>() {
    return visit_clock(into.type, [&]<class To>() -> std::optional<uint64_t> {
      return turn_cells<From, To>(values, into, arena);
    });
  });
}

}  // namespace heron::inline v0
