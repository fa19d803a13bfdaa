// Casts between bool, integers and floats.
#pragma once

#include <optional>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Sets the data of `into`; the rest is set already. Returns the first row that is not null and has
// no equal number.
std::optional<uint64_t> cast_numbers(const Values& values, Values& into, Arena& arena);

}  // namespace heron::inline v0
