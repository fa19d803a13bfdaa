// The range of the values of a column.
#pragma once

#include <optional>

#include "format/format.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Widens the range by the bools, integers or floats that are neither null nor NaN.
void widen(std::optional<NumberRange>& range, const Values& values);

}  // namespace heron::inline v0
