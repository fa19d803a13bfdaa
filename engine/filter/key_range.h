// The rows of a sorted table that a condition can be true for.
#pragma once

#include "expression/condition.h"
#include "heron/context.h"
#include "heron/dataset.h"

namespace heron::inline v0 {

// Of `range` the rows of the table in which the leading key columns can be in the sets that a
// condition asks them to be in: from the lowest value of a set to the highest, and by the next
// column too where there is but one. All of `range` where the table has no key, or many files, or
// the condition asks nothing of the first key column. As in find(), that rows ascend is believed.
// Costs a row of a column for each halving, twice; throws what reading it does.
RowRange key_range(const Table& table, const Condition& condition, RowRange range,
                   const Context& context);

}  // namespace heron::inline v0
