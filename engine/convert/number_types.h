// bool, integers and floats as C++ types, and which of them hold all values of another.
#pragma once

#include <limits>
#include <utility>

#include "values/cells.h"

namespace heron::inline v0 {

inline bool is_number(const Type& type) {
  return type.is(Type::Bool) || type.is_integer() || type.is_float();
}

// Calls visit.operator()<T>() with the C++ type of a type that is_number().
template <class Visit>
decltype(auto) visit_number_type(const Type& type, Visit&& visit) {
  if (type.is(Type::Bool)) return visit.template operator()<bool>();
  return visit_cell_type(type, std::forward<Visit>(visit));
}

// Whether every From has an equal To.
template <class From, class To>
constexpr bool kHoldsEvery = [] {
  using F = std::numeric_limits<From>;
  using T = std::numeric_limits<To>;
  if (!F::is_integer && T::is_integer) return false;
  return F::digits <= T::digits && (T::is_signed || !F::is_signed);
}();

}  // namespace heron::inline v0
