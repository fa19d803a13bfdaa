// From what was written to the tests that decide it: names and types are checked, "not" is pushed
// down to the tests, and literals become values of the columns they are compared with.
#pragma once

#include "expression/named_columns.h"

namespace heron::inline v0 {

struct Checked {
  Condition condition;
  std::vector<std::string> notes;
};

// Throws Error(Argument), or Error(Limit) for what becomes more than 100,000 tests.
Checked check(const Syntax& syntax, NamedColumns& columns, const SourceText& source);

}  // namespace heron::inline v0
