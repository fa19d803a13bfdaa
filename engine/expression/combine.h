// Conditions put together, and made as small as they can be on the way.
#pragma once

#include "expression/named_columns.h"
#include "expression/value_set.h"

namespace heron::inline v0 {

// A set that has no values, or all that there are, needs no look at values.
Condition in_set(uint64_t column, const Type& type, ValueSet set);

// Flat, without parts that decide nothing, all sets of a column one: `x >= 3 and x < 5` is a single
// test. One part is itself. The columns were resolved.
Condition all_of(std::vector<Condition> parts, const NamedColumns& columns);
Condition any_of(std::vector<Condition> parts, const NamedColumns& columns);

}  // namespace heron::inline v0
