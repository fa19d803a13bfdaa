// How many rows pass.
#pragma once

#include <cstdint>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"

namespace heron::inline v0 {

// The number of rows of the query: of its range, where it has no predicate, without reading any.
// Zones are filtered in parallel on the Context's threads.
HERON_EXPORT uint64_t count(const Query& query, const Context& context = {});

}  // namespace heron::inline v0
