// Chooses the predicate for a column: it tests stored values directly; for codes or keys it decides
// each distinct value once, and then tests rows by their codes.
#include "filter/column_predicate.h"

#include "filter/code_predicate.h"
#include "filter/value_predicate.h"

namespace heron::inline v0 {

std::unique_ptr<const ColumnPredicate> make_predicate(const InSet& test, const Column& column,
                                                      const Context& context) {
  return make_coded(column, context,
                    [&](const Type& type) { return make_value_predicate(test.set, type); });
}

std::unique_ptr<const ColumnPredicate> make_predicate(const IsLike& test, const Column& column,
                                                      const Context& context) {
  return make_coded(column, context,
                    [&](const Type&) { return make_like_predicate(test.pattern, test.negated); });
}

}  // namespace heron::inline v0
