// Groups of rows, printed a line each: scan --agg --by and count --by.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "heron/aggregate.h"
#include "session.h"

namespace heron::cli {

// Prints aggregates of the query by the columns of --by.
void print_groups(Session& session, Query query, std::span<const Aggregate> aggregates);
// Prints how many rows each group of --by has, the largest first; only the first `top` groups if
// `top` is given. Groups of equally many rows are in the order of their values.
void print_counts(Session& session, Query query, std::optional<uint64_t> top);

}  // namespace heron::cli
