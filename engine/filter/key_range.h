// Finds the rows of a sorted table that may match a predicate.
#pragma once

#include "expression/bound_predicate.h"
#include "heron/context.h"
#include "heron/table.h"

namespace heron::inline v0 {

// Returns the rows of `range` whose leading key columns can be in the sets that a predicate
// requires: from the lowest value of a set to the highest, and, if that is a single value, narrowed
// by the next column. Returns all of `range` if the table has no key or many files, or if the
// predicate has no set for the first key column. Assumes, as find() does, that rows ascend. Cost:
// two binary searches per column, which read a row at each step. Throws what reading a row throws.
RowRange key_range(const Table& table, const BoundPredicate& predicate, RowRange range,
                   const Context& context);

}  // namespace heron::inline v0
