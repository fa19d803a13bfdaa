#include "aggregate/functions/extremes.h"
#include "aggregate/functions/function.h"

namespace heron::inline v0 {

extern const AggregateFunction kMin{
    .name = "min", .lacks = " have no least and no greatest", .state = [](const StateOf& of) {
      return shared_or(of, make_extremes<false>);
    }};

}  // namespace heron::inline v0
