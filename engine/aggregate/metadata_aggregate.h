// Metadata-only aggregates: results from zones and a sidecar, without reading values.
#pragma once

#include <optional>

#include "aggregate/aggregate_state.h"
#include "heron/dataset.h"

namespace heron::inline v0 {

// The number of values and, if wanted, the extremes. Zones without statistics are read in parallel
// on the Context's threads, and stored. Nullopt if zones do not suffice: for texts and codes they
// have only bounds, they do not detect cells that reading may refuse, and they have no sums,
// quantiles or sketches. The number of distinct values is known only from a sidecar, of one file.
std::optional<AggregateResult> metadata_aggregate(const Table& table, uint64_t column,
                                                  const AggregateState::Wanted& wanted,
                                                  const Context& context);

}  // namespace heron::inline v0
