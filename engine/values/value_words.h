// A value in the form of error texts.
#pragma once

#include <string>

#include "heron/values.h"

namespace heron::inline v0 {

// "300", "-0", "NaN", "true", "2026-11-21T10:20:30.5", the first characters of a text in quotes,
// the value of a key, "a list of 3 items", "null".
std::string value_words(const Values& values, uint64_t row);

}  // namespace heron::inline v0
