// Which test a column gets: of values where it stores them; where it stores codes or keys, what is
// true is decided once for each value, and rows are tested by their codes.
#include "filter/test.h"

#include "filter/test_of_codes.h"
#include "filter/test_of_values.h"

namespace heron::inline v0 {

std::unique_ptr<const ColumnPredicate> make_test(const InSet& test, const Column& column,
                                            const Context& context) {
  return make_coded(column, context,
                    [&](const Type& type) { return make_value_test(test.set, type); });
}

std::unique_ptr<const ColumnPredicate> make_test(const IsLike& test, const Column& column,
                                            const Context& context) {
  return make_coded(column, context,
                    [&](const Type&) { return make_like_test(test.pattern, test.negated); });
}

}  // namespace heron::inline v0
