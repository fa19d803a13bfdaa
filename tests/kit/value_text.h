// One value of any type as text that says all of it, to be compared.
#pragma once

#include <string>

#include "heron/values.h"

namespace heron::inline v0 {

// Cells as the hex digits of their bytes, keys with what they stand for, vectors with their length
// and as they are stored.
std::string value_text(const Values& values, uint64_t row);

}  // namespace heron::inline v0
