// Casts between dates, timestamps and datetimes, and between durations.
#pragma once

#include <optional>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns whether the type is date32, timestamp or datetime.
bool is_plain_instant(const Type& type);
// Returns whether both are plain instants, or both durations.
bool are_times_alike(const Type& a, const Type& b);

// Sets the data of `into`; the rest is set already. Returns the first row that is not null and has
// no equal value.
std::optional<uint64_t> cast_times(const Values& values, Values& into, Arena& arena);

}  // namespace heron::inline v0
