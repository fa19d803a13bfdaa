// From the selected rows of a morsel into the state of aggregates.
#pragma once

#include "exec/morsel_reader.h"
#include "query/aggregate_state.h"

namespace heron::inline v0 {

// Adds the values of a column: read, or, where only few rows of a chunk are selected, taken. Gives
// how many rows it left out because they are damaged, where the Context says so.
uint64_t aggregate_rows(MorselReader& morsel, uint64_t column, AggregateState& state);

}  // namespace heron::inline v0
