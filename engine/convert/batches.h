// Helpers for batches that are written to files.
#pragma once

#include <cstdint>
#include <span>

#include "heron/context.h"
#include "heron/file.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns the rows of the range; all rows without a copy.
RowBatch rows_of(const RowBatch& batch, RowRange range, const Context& context);
// Copies rows by number, all below batch.rows: any order, repeats allowed.
RowBatch rows_of(const RowBatch& batch, std::span<const uint32_t> rows, const Context& context);

// Return how many floats are null, or NaN but not null; for nested values, they count the innermost
// items of rows that are not null.
uint64_t count_nulls(const Values& values);
uint64_t count_nans(const Values& values);

}  // namespace heron::inline v0
