// bool_and: whether all values are true.
#include "aggregate/functions/function.h"

namespace heron::inline v0 {

extern const AggregateFunction kBoolAnd{.name = "bool_and",
                                    .accepts = is_bool,
                                    .lacks = " are not true or false",
                                    .state = bools_state};

}  // namespace heron::inline v0
