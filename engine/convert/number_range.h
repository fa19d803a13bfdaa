// Between which numbers all values of a column lie.
#pragma once

#include <optional>

#include "dataset/format.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Widens the range by the values of bool, integers or floats that are there and no NaN.
void widen(std::optional<NumberRange>& range, const Values& values);

}  // namespace heron::inline v0
