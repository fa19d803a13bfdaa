// Which key columns tell groups apart.
#pragma once

#include "heron/dataset.h"

namespace heron::inline v0 {

// The key columns without those that are computed from others of them, as `x + 1` beside `x` is, or
// from nothing: groups by what is left are the same. Has one column at least.
Projection determining_keys(const Projection& keys);

}  // namespace heron::inline v0
