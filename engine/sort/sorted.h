// Sorts groups, which exist only in memory; rows of a table are ordered by OrderedRows, which reads
// and spills them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/query.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns the numbers of the first `limit` rows of a batch in this order; of columns with equal
// names, the first counts. Throws Error(Argument) for an unknown column and for one whose type has
// no order.
std::vector<uint32_t> rows_in_order(const RowBatch& batch, std::span<const OrderBy> order,
                                    uint64_t limit, const Context& context);

// Returns a copy of these rows; the batch itself if there is no order and all rows are in `limit`.
RowBatch sorted(RowBatch batch, std::span<const OrderBy> order, uint64_t limit,
                const Context& context);

}  // namespace heron::inline v0
