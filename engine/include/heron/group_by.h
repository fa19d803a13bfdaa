// Aggregates of groups of rows, and rows in an order.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "heron/aggregate.h"
#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns one row for each group of rows with equal values in the query's `by` columns: those
// values, then the aggregates, under their names, which `order` may name. Null is a value of its
// own, as is NaN; 0.0 and -0.0 are one, shown as 0.0. Without `order`, groups are in the order of
// their first rows.
//
// The result is the same on any number of threads: sums of floats within a group are exact and
// rounded once, whatever the order of rows. Sums of integers are exact: int64 where that holds all
// of them, else uint64 where that does, else int128. Distinct values of a group are counted
// exactly, and the values of quantiles are held, as far as memory allows; an estimate of distinct
// values takes up to 16 KiB a group. Keys with values are grouped by these.
//
// Reads each column once, on the Context's threads. Memory grows with the groups and is charged to
// the Context's budget: Error(Limit) if that is exhausted. Throws Error(Argument) for key columns
// of lists, vectors and row ids and if two columns of the result have one name, and what
// aggregate() throws.
HERON_EXPORT RowBatch group_by(const Query& query, std::span<const Aggregate> wanted,
                               const Context& context = {});
inline RowBatch group_by(const Query& query, std::initializer_list<Aggregate> wanted,
                         const Context& context = {}) {
  return group_by(query, std::span(wanted.begin(), wanted.size()), context);
}

// Returns the numbers of the query's rows, in its order; of equal rows the first comes first. The
// result is the same on any number of threads. Reads each column once and holds the keys of about
// twice `limit` rows for each thread, charged to the Context's budget: Error(Limit) if that is
// exhausted; keys that exceed the memory of Scan are spilled, as in Scan. Throws Error(Argument)
// for columns of types that have no order, and what aggregate() throws.
HERON_EXPORT std::vector<uint64_t> ordered_rows(const Query& query, const Context& context = {});

}  // namespace heron::inline v0
