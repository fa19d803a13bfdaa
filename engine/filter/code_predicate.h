// Tests of codes into a dictionary, and of keys that stand for values.
#pragma once

#include <functional>

#include "filter/column_predicate.h"

namespace heron::inline v0 {

// make(type) gives the test for values of a type: the column's, or what its keys stand for. If the
// column has neither codes nor such keys, that is all; else it is put to every value here.
std::unique_ptr<const ColumnPredicate> make_coded(
    const Column& column, const Context& context,
    const std::function<std::unique_ptr<const ColumnPredicate>(const Type&)>& make);

}  // namespace heron::inline v0
