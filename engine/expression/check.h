// Turns syntax into tests: checks names and types, pushes "not" down to the tests, and converts
// literals to values of the columns they are compared with.
#pragma once

#include "expression/bound_predicate.h"
#include "expression/named_columns.h"

namespace heron::inline v0 {

struct Checked {
  BoundPredicate predicate;
  std::vector<std::string> notes;
};

// Throws Error(Argument), or Error(Limit) for more than 100,000 resulting tests.
Checked check(const Syntax& syntax, NamedColumns& columns, const SourceText& source);

}  // namespace heron::inline v0
