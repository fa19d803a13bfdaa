// Groups of rows, printed a line each: scan --agg --by and count --by.
#pragma once

#include <span>

#include "heron/group_by.h"
#include "session.h"

namespace heron::cli {

// Aggregates of the query by the columns of --by.
void print_groups(Session& session, Query query, std::span<const Aggregate> wanted);
// How many rows each group of --by has, the most first.
void print_counts(Session& session, Query query);

}  // namespace heron::cli
