// bool, integers and floats as each other.
#pragma once

#include <optional>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Sets the data of `into`; the rest is there. The first row that is there and has no equal number.
std::optional<uint64_t> cast_numbers(const Values& values, Values& into, Arena& arena);

}  // namespace heron::inline v0
