// any_value: the first value that is not null.
#include "aggregate/functions/first_last.h"

namespace heron::inline v0 {

extern const AggregateFunction kAnyValue{
    .name = "any_value",
    .lacks = " cannot be aggregated, only counted",
    .state = [](const StateOf&) -> StateMaker { return make_row_values<WhichRow::FirstValue>; }};

}  // namespace heron::inline v0
