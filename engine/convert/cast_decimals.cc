#include "convert/cast_decimals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "convert/number_types.h"
#include "values/bitmap.h"
#include "values/decimals.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

using Rest = ScaledNumber::Rest;

// Calls cast_one(units, row) for rows that are not null, until it returns false. Returns that row.
template <class CastOne>
std::optional<uint64_t> each_decimal(const Values& values, CastOne cast_one) {
  for (uint64_t row = 0; row < values.rows; ++row) {
    if (!values.is_null(row) && !cast_one(cell_of<Int128>(values, row), row)) return row;
  }
  return std::nullopt;
}

// Returns the units of another scale; nullopt if there are none with that many digits.
std::optional<Int128> units_of(Int128 units, uint32_t from_scale, uint32_t scale,
                               uint64_t precision) {
  const ScaledNumber number = scaled(units, from_scale, scale);
  return number.is_exact() && has_digits(number.floor, precision) ? std::optional(number.floor)
                                                                  : std::nullopt;
}

template <class T>
std::optional<T> number_of(Int128 units, const Type& from) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto number = static_cast<T>(as_double(units, from.scale()));
    if (!std::isfinite(number)) return std::nullopt;
    const auto back = scaled(double{number}, from.scale()).nearest(Type::kMaxPrecision);
    return back == units ? std::optional(number) : std::nullopt;
  } else {
    const auto whole = units_of(units, from.scale(), 0, Type::kMaxPrecision);
    using Limits = std::numeric_limits<T>;
    const bool fits = whole && *whole >= Limits::min() && *whole <= Limits::max();
    return fits ? std::optional(static_cast<T>(*whole)) : std::nullopt;
  }
}

template <class T>
std::optional<uint64_t> to_numbers(const Values& values, Values& into, Arena& arena) {
  T* to = arena.allocate_array<T>(values.rows);
  std::fill_n(to, values.rows, T{});
  const auto fault = each_decimal(values, [&](Int128 units, uint64_t row) {
    const std::optional<T> number = number_of<T>(units, values.type);
    if (number) to[row] = *number;
    return number.has_value();
  });
  const auto* cells = reinterpret_cast<const std::byte*>(to);
  if constexpr (std::is_same_v<T, bool>)
    into.data = {pack_bools(cells, values.rows, arena), bitmap_bytes(values.rows)};
  else
    into.data = {cells, values.rows * sizeof(T)};
  return fault;
}

std::optional<uint64_t> to_decimals(const Values& values, Values& into, Arena& arena) {
  auto* to = arena.allocate_array<Int128>(values.rows);
  std::fill_n(to, values.rows, Int128{0});
  into.data = {reinterpret_cast<const std::byte*>(to), values.rows * sizeof *to};
  return each_decimal(values, [&](Int128 units, uint64_t row) {
    const auto other =
        units_of(units, values.type.scale(), into.type.scale(), into.type.size());
    if (other) to[row] = *other;
    return other.has_value();
  });
}

template <class Offset>
void to_texts(const Values& values, Values& into, Arena& arena) {
  auto* offsets = arena.allocate_array<Offset>(values.rows + 1);
  char* const begin = arena.allocate_array<char>(values.rows * kMaxDecimalText);
  char* end = begin;
  offsets[0] = 0;
  for (uint64_t row = 0; row < values.rows; ++row) {
    if (!values.is_null(row)) {
      end = put_decimal(end, cell_of<Int128>(values, row), values.type.scale());
    }
    offsets[row + 1] = static_cast<Offset>(end - begin);
  }
  into.offsets = {reinterpret_cast<const std::byte*>(offsets),
                  (values.rows + 1) * sizeof(Offset)};
  into.data = {reinterpret_cast<const std::byte*>(begin), static_cast<uint64_t>(end - begin)};
}

}  // namespace

bool decimal_castable(const Type& from, const Type& to) {
  return from.is(Type::Decimal) && (to.is(Type::Decimal) || is_number(to) || to.is_text());
}

bool holds_every_decimal(const Type& from, const Type& to) {
  if (to.is_text()) return true;
  const uint64_t whole = from.size() - from.scale();
  if (to.is(Type::Decimal)) return to.scale() >= from.scale() && to.size() - to.scale() >= whole;
  if (!is_number(to) || to.is(Type::Bool)) return false;
  return visit_number_type(to, [&]<class T>() {
    if constexpr (std::is_same_v<T, bool>)
      return false;
    else if constexpr (std::is_floating_point_v<T>)
      return from.size() <= uint64_t{std::numeric_limits<T>::digits10};
    else
      return std::is_signed_v<T> && from.scale() == 0 &&
             whole <= uint64_t{std::numeric_limits<T>::digits10};
  });
}

std::optional<uint64_t> cast_decimals(const Values& values, Values& into, Arena& arena) {
  if (into.type.is(Type::Decimal)) return to_decimals(values, into, arena);
  if (into.type.is_text()) {
    const bool is_large = into.type.has_large_offsets();
    is_large ? to_texts<int64_t>(values, into, arena) : to_texts<int32_t>(values, into, arena);
    return std::nullopt;
  }
  return visit_number_type(into.type,
                           [&]<class T>() { return to_numbers<T>(values, into, arena); });
}

}  // namespace heron::inline v0
