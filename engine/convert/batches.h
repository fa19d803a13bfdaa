// What is done with batches on their way into files.
#pragma once

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Those rows of a batch; all of them without a copy.
RowBatch rows_of(const RowBatch& batch, RowRange range, const Context& context);

// How many floats are null, or are NaN without being null; of nested values, the innermost
// items of rows that are there.
uint64_t count_nulls(const Values& values);
uint64_t count_nans(const Values& values);

}  // namespace heron::inline v0
