// Sums and extremes of a table that is stored row by row: where columns lie side by side it is read
// once for all of them.
#pragma once

#include <span>

#include "columns/row_layout.h"
#include "exec/morsel_reader.h"
#include "query/aggregate_state.h"

namespace heron::inline v0 {

// Adds all rows of a morsel to the states of these columns, at least one, of which each
// takes_rows(). False, and nothing is added, where they have to be read column by column.
bool aggregate_by_row(MorselReader& morsel, std::span<const uint64_t> columns,
                      std::span<AggregateState* const> states);

}  // namespace heron::inline v0
