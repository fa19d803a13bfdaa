// Casts between dates, timestamps and datetimes.
#pragma once

#include <optional>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns whether the type is date32, timestamp or datetime.
bool is_instant(const Type& type);

// Sets the data of `into`; the rest is set already. Returns the first row that is not null and has
// no equal instant.
std::optional<uint64_t> cast_times(const Values& values, Values& into, Arena& arena);

}  // namespace heron::inline v0
