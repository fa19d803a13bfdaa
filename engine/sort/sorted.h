// Sorts groups, which exist only in memory; rows of a table are ordered by OrderedRows, which reads
// and spills them.
#pragma once

#include <span>

#include "heron/query.h"
#include "heron/values.h"

namespace heron::inline v0 {

// The first `limit` rows of a batch by its columns; of columns of equal names by the last. They are
// copied, unless that is the batch as it is. Throws Error(Argument) for an unknown column and for
// one whose type has no order.
RowBatch sorted(RowBatch batch, std::span<const OrderBy> order, uint64_t limit,
                const Context& context);

}  // namespace heron::inline v0
