#include "aggregate/functions/first_last.h"

namespace heron::inline v0 {

extern const AggregateFunction kFirst{
    .name = "first",
    .lacks = " cannot be aggregated, only counted",
    .state = [](const StateOf&) -> StateMaker { return make_row_values<WhichRow::First>; }};

}  // namespace heron::inline v0
