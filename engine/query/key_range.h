// Of a table whose rows are sorted by a key, those that a condition on the key leaves open.
#pragma once

#include "expression/condition.h"
#include "heron/dataset.h"

namespace heron::inline v0 {

// A part of `range` outside of which no row fulfils the condition: all of it where nothing is
// known. By binary search, a few dozen cells.
RowRange key_range(const Table& table, const Condition& condition, RowRange range,
                   const Context& context);

}  // namespace heron::inline v0
