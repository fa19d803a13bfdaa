// Sorts groups, which exist only in memory; rows of a table are ordered by OrderedRows, which reads
// and spills them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heron/query.h"
#include "heron/values.h"

namespace heron::inline v0 {

// The numbers of the first `limit` rows of a batch by its columns; of columns of equal names by the
// first. Throws Error(Argument) for an unknown column and for one whose type has no order.
std::vector<uint32_t> rows_in_order(const RowBatch& batch, std::span<const OrderBy> order,
                                    uint64_t limit, const Context& context);

// These rows, copied, unless they are the batch as it is.
RowBatch sorted(RowBatch batch, std::span<const OrderBy> order, uint64_t limit,
                const Context& context);

}  // namespace heron::inline v0
