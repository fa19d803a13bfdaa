// count_if: how many values are true.
#include "aggregate/functions/function.h"

namespace heron::inline v0 {

extern const AggregateFunction kCountIf{.name = "count_if",
                                    .accepts = is_bool,
                                    .lacks = " are not true or false",
                                    .type = count_type,
                                    .state = bools_state};

}  // namespace heron::inline v0
