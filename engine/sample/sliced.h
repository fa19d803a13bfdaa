// Consecutive rows of values in memory.
#pragma once

#include "heron/context.h"
#include "heron/row_range.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Some rows of a batch, without a copy, except of bits that do not begin at a byte. Keeps what the
// batch keeps. Throws Error(Limit).
RowBatch sliced(const RowBatch& batch, RowRange rows, const Context& context);

}  // namespace heron::inline v0
