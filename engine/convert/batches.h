// Helpers for batches on their way into files.
#pragma once

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/values.h"

namespace heron::inline v0 {

// The rows of the range; all rows without a copy.
RowBatch rows_of(const RowBatch& batch, RowRange range, const Context& context);

// How many floats are null, or are NaN without being null; for nested values, the innermost items
// of rows that are not null.
uint64_t count_nulls(const Values& values);
uint64_t count_nans(const Values& values);

}  // namespace heron::inline v0
