// Slices of batches in memory.
#pragma once

#include "heron/context.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns some rows of a batch without a copy, except of bits that do not begin at a byte. Keeps
// alive what the batch keeps alive. Throws Error(Limit).
RowBatch sliced(const RowBatch& batch, RowRange rows, const Context& context);

}  // namespace heron::inline v0
