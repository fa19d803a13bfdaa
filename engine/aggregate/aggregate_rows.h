// Adds the selected rows of a morsel to aggregate states.
#pragma once

#include "aggregate/aggregate_state.h"
#include "exec/morsel_reader.h"

namespace heron::inline v0 {

// Adds the values of a column to its states, of which there is at least one and none has groups.
// Values are read once, or taken if few rows of a chunk are selected. Returns how many damaged rows
// it left out, if the query allows that.
uint64_t aggregate_rows(MorselReader& morsel, uint64_t column,
                        std::span<AggregateState* const> states);

// Adds all rows of a morsel of a table that is stored row by row, in one pass over adjacent
// columns. Each column, at least one, has a single state, which takes_cells(). Returns false, and
// adds nothing, if the columns must be read one by one.
bool aggregate_by_row(MorselReader& morsel, std::span<const uint64_t> columns,
                      std::span<AggregateState* const> states);

}  // namespace heron::inline v0
