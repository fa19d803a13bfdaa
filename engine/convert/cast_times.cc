#include "convert/cast_times.h"

#include <chrono>
#include <utility>

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
using NanosecondCounts = Counts<int64_t, std::chrono::nanoseconds, 0>;
using TickCounts = Counts<int64_t, TickDuration, kTicksBefore1970>;

template <class Visit>
decltype(auto) visit_clock(const Type& type, Visit&& visit) {
  switch (type.id()) {
    case Type::Date32: return visit.template operator()<DayCounts>();
    case Type::Timestamp: return visit.template operator()<NanosecondCounts>();
    default: return visit.template operator()<TickCounts>();
  }
}

template <class Clock>
bool is_instant_of(int64_t units) {
  return Clock::kUnit != TickCounts::kUnit || in_calendar(units);
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
  // All instants of finer units fit 32 bits of days.
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

}  // namespace

bool is_instant(const Type& type) {
  return type.is(Type::Date32) || type.is(Type::Timestamp) || type.is(Type::DateTime);
}

std::optional<uint64_t> cast_times(const Values& values, Values& into, Arena& arena) {
  return visit_clock(values.type, [&]<class From>() {
    return visit_clock(into.type, [&]<class To>() -> std::optional<uint64_t> {
      return turn_cells<From, To>(values, into, arena);
    });
  });
}

}  // namespace heron::inline v0
