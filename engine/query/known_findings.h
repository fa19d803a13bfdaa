// What zones that are known, and a sidecar, tell of a whole column, so that it need not be read.
#pragma once

#include <optional>

#include "query/gathered.h"

namespace heron::inline v0 {

// How many values are there and, if they are wanted, the extremes; nothing where zones do not tell:
// some are not known, texts and codes have only bounds, and sums no zone has. How many distinct
// values there are only a sidecar tells, of one file.
std::optional<Findings> known_findings(const Table& table, uint64_t column,
                                       const Gathered::Wanted& wanted, const Context& context);

}  // namespace heron::inline v0
