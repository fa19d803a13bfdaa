// How many rows pass.
#pragma once

#include <cstdint>

#include "heron/context.h"
#include "heron/metrics.h"
#include "heron/predicate.h"

namespace heron::inline v0 {

// How many rows pass a predicate. Zones are filtered in parallel on the Context's threads.
uint64_t count(const Predicate& predicate, const Context& context = {},
               QueryMetrics* metrics = nullptr);

}  // namespace heron::inline v0
