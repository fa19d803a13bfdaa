#include "aggregate/functions/first_last.h"

namespace heron::inline v0 {

extern const AggregateFunction kLast{
    .name = "last",
    .lacks = " cannot be aggregated, only counted",
    .state = [](const StateOf&) -> StateMaker { return make_row_values<WhichRow::Last>; }};

}  // namespace heron::inline v0
