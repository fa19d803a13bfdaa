// One value of any type as text without loss, for comparisons.
#pragma once

#include <string>

#include "heron/values.h"

namespace heron::inline v0 {

// Returns cells as the hex digits of their bytes, keys with their values, and vectors with their
// length and stored items.
std::string value_text(const Values& values, uint64_t row);

}  // namespace heron::inline v0
