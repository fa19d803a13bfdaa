// Combines predicates and simplifies them.
#pragma once

#include "expression/bound_predicate.h"
#include "expression/named_columns.h"
#include "expression/value_set.h"

namespace heron::inline v0 {

// Tests a column against a set; an empty set becomes a constant, a full one "is not null".
BoundPredicate in_set(uint64_t column, const Type& type, ValueSet set);

// Flattens nested parts, drops parts that decide nothing, and merges all sets of a column into one:
// `x >= 3 and x < 5` is a single test. A single part is returned as it is. The columns must be
// resolved.
BoundPredicate all_of(std::vector<BoundPredicate> parts, const NamedColumns& columns);
BoundPredicate any_of(std::vector<BoundPredicate> parts, const NamedColumns& columns);

}  // namespace heron::inline v0
