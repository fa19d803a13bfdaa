// Counts the rows that pass a predicate.
#pragma once

#include <cstdint>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"

namespace heron::inline v0 {

// Counts the rows of the query; without a predicate the count is the size of the range, and no row
// is read. Zones are filtered in parallel on the Context's threads.
HERON_EXPORT uint64_t count(const Query& query, const Context& context = {});

}  // namespace heron::inline v0
