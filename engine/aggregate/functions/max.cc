#include "aggregate/functions/extremes.h"
#include "aggregate/functions/function.h"

namespace heron::inline v0 {

extern const AggregateFunction kMax{
    .name = "max", .lacks = " have no least and no greatest", .state = [](const StateOf& of) {
      return shared_or(of, make_extremes<true>);
    }};

}  // namespace heron::inline v0
