// Maps floats that count as one value to one float: both zeros to 0.0, all NaNs to one NaN.
#pragma once

#include <concepts>
#include <limits>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

template <std::floating_point T>
T canonical(T value) noexcept {
  const T sum = value + T{0};  // -0.0 + 0.0 is 0.0; added in any case, so that loops do not branch
  return sum == sum ? sum : std::numeric_limits<T>::quiet_NaN();
}

// Makes the floats of a column, or of its key values, canonical. The result lives in the arena.
void make_canonical(Values& values, Arena& arena);

}  // namespace heron::inline v0
