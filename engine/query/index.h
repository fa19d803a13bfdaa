// What an index tells of columns: found in one pass over all of them.
#pragma once

#include <vector>

#include "heron/dataset.h"
#include "skip/sidecar.h"

namespace heron::inline v0 {

// Of every column of every table that can be read and of which there is something to tell. Columns
// of a table side by side on the Context's threads, each a zone at a time. Throws Error: Corrupt,
// Limit, what reading does.
std::vector<ColumnIndex> index_columns(const Dataset& dataset, const Context& context);

}  // namespace heron::inline v0
