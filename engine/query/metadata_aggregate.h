// What zones, and a sidecar, tell of a whole column, so that values need not be gathered.
#pragma once

#include <optional>

#include "heron/dataset.h"
#include "query/aggregate_state.h"

namespace heron::inline v0 {

// How many values are there and, if they are wanted, the extremes. Zones that nobody has read are
// read, side by side on the Context's threads, and kept. Nothing where zones do not tell: texts and
// codes have only bounds, cells that reading may refuse are not told apart, and neither sums nor
// quantiles nor sketches are in zones.
// How many distinct values there are only a sidecar tells, of one file.
std::optional<AggregateResult> metadata_aggregate(const Table& table, uint64_t column,
                                                  const AggregateState::Wanted& wanted,
                                                  const Context& context);

}  // namespace heron::inline v0
