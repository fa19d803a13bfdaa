// mean: the sum, rounded, divided by the number of values.
#include "aggregate/functions/function.h"

namespace heron::inline v0 {

extern const AggregateFunction kMean{
    .name = "mean",
    .accepts = [](const Type& type) { return is_numeric(type) || type.is(Type::Bool); },
    .lacks = " have no mean",
    .type = float_type,
    .state = [](const StateOf& of) { return shared_or(of, make_sums); },
    .alias = "avg"};

}  // namespace heron::inline v0
