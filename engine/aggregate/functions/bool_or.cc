// bool_or: whether one of the values is true.
#include "aggregate/functions/function.h"

namespace heron::inline v0 {

extern const AggregateFunction kBoolOr{.name = "bool_or",
                                    .accepts = is_bool,
                                    .lacks = " are not true or false",
                                    .state = bools_state};

}  // namespace heron::inline v0
