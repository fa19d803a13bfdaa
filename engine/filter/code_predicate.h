// Tests codes into a dictionary, and keys with values.
#pragma once

#include <functional>

#include "filter/column_predicate.h"

namespace heron::inline v0 {

// make(type) creates the test of values of a type: the column's, or that of its key values. If the
// column has neither codes nor key values, it returns that test; otherwise it applies it to every
// distinct value here.
std::unique_ptr<const ColumnPredicate> make_coded(
    const Column& column, const Context& context,
    const std::function<std::unique_ptr<const ColumnPredicate>(const Type&)>& make);

}  // namespace heron::inline v0
