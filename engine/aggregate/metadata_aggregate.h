// Metadata-only aggregates: results from zones and a sidecar, without reading values.
#pragma once

#include <optional>
#include <span>

#include "heron/aggregate.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct KnownResults {
  uint64_t values = 0;  // values that are not null
  Scalar min, max;
  uint64_t distinct = 0;
};

// Returns the number of values and, if any of the column's `aggregates` need them, the extremes and
// the number of distinct values. Zones without statistics are read in parallel on the Context's
// threads, and stored. Returns nullopt if zones do not suffice: for texts and codes they have only
// bounds, they do not detect cells that reading may refuse, and they have no sums, quantiles or
// sketches. The number of distinct values is known only from a sidecar, for a table of one file.
std::optional<KnownResults> metadata_aggregate(const Table& table, uint64_t column,
                                               std::span<const Aggregate> aggregates,
                                               const Context& context);

}  // namespace heron::inline v0
