// Computes the column indexes of a sidecar, in one pass over all columns.
#pragma once

#include <vector>

#include "heron/file.h"
#include "skip/sidecar.h"

namespace heron::inline v0 {

// Indexes every readable column of every table that has statistics. Works on the columns of a table
// in parallel on the Context's threads, one zone at a time. Throws Error: Corrupt, Limit, and what
// reading throws.
std::vector<ColumnIndex> index_columns(const File& file, const Context& context);

}  // namespace heron::inline v0
