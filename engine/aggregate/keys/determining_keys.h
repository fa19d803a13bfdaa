// Finds the key columns that determine the groups.
#pragma once

#include "heron/table.h"

namespace heron::inline v0 {

// Returns the key columns without those that are computed from other key columns, as `x + 1` beside
// `x` is, or from nothing: groups by the rest are the same. Returns at least one column.
Projection determining_keys(const Projection& keys);

}  // namespace heron::inline v0
