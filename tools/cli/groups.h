// Groups of rows, printed a line each: scan --agg --by and count --by.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "heron/group_by.h"
#include "session.h"

namespace heron::cli {

// Aggregates by the columns of --by, in the order of these columns of the answer (as in
// --order-by), up to `limit` groups.
void print_groups(Session& session, std::span<const Aggregate> wanted,
                  const std::optional<Predicate>& where, const std::string& order_by,
                  std::optional<uint64_t> limit);
// How many rows each group of --by has, the most first.
void print_counts(Session& session, const std::optional<Predicate>& where);

}  // namespace heron::cli
