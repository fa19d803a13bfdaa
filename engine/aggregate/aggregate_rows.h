// Adds the selected rows of a morsel to an aggregate state.
#pragma once

#include "aggregate/aggregate_state.h"
#include "exec/morsel_reader.h"

namespace heron::inline v0 {

// Adds the values of a column: read, or taken if few rows of a chunk are selected. Returns how many
// damaged rows it left out, if the Context allows that.
uint64_t aggregate_rows(MorselReader& morsel, uint64_t column, AggregateState& state);

}  // namespace heron::inline v0
