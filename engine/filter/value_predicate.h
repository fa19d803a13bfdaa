// Tests values, whatever column they come from.
#pragma once

#include "filter/column_predicate.h"

namespace heron::inline v0 {

// Make tests for chunks with values, or cells that are values, of a type. The arguments must
// outlive the result.
std::unique_ptr<const ColumnPredicate> make_value_predicate(const ValueSet& set, const Type& type);
std::unique_ptr<const ColumnPredicate> make_text_predicate(
    const std::vector<TextInterval>& intervals);
std::unique_ptr<const ColumnPredicate> make_like_predicate(const LikePattern& pattern,
                                                           bool negated);

}  // namespace heron::inline v0
