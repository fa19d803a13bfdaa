// Sums and extremes of a table that is stored row by row: adjacent columns are read in one pass.
#pragma once

#include <span>

#include "aggregate/aggregate_state.h"
#include "columns/row_layout.h"
#include "exec/morsel_reader.h"

namespace heron::inline v0 {

// Adds all rows of a morsel to the states of these columns. There is at least one, and each
// takes_rows(). Returns false, and adds nothing, if the columns must be read one by one.
bool aggregate_by_row(MorselReader& morsel, std::span<const uint64_t> columns,
                      std::span<AggregateState* const> states);

}  // namespace heron::inline v0
