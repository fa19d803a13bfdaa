// stddev of a sample (stddev_samp): the square root of its variance.
#include "aggregate/functions/function.h"

namespace heron::inline v0 {

extern const AggregateFunction kStddev{
    .name = "stddev",
    .accepts = is_numeric,
    .lacks = " have no standard deviation",
    .type = float_type,
    .state = [](const StateOf&) -> StateMaker { return make_variances; },
    .alias = "stddev_samp"};

}  // namespace heron::inline v0
