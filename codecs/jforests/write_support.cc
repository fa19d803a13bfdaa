// All columns are numbers and are read back as doubles: labels exactly, features with the loss of
// scaling. A null, or NaN, would be read back as the feature's minimum.
#include <algorithm>
#include <cmath>

#include "jforests/jforests.h"
#include "jforests/roles.h"
#include "jforests/scaling.h"

namespace heron::inline v0::jforests {
namespace {

TypeSupport type_support(const Type& type) {
  if (!type.is(Type::Bool) && !type.is_integer() && !type.is_float()) return {};
  return {Type::Float64, TypeSupport::Nulls::Refused, true};
}

// Group numbers are not stored; rows only show where a group differs from its neighbours.
double expected_loss(std::string_view column, const WriteOptions& options,
                     const NumberRange& range) {
  const double magnitude = std::max(std::abs(range.least), std::abs(range.largest));
  const double as_double = range.whole ? most_lost_as_double(magnitude) : 0;
  if (column == label_name(options)) return as_double;
  if (column == group_name(options)) return 0;
  return as_double + scale_for(range.least, range.largest).most_lost(range.whole);
}

}  // namespace

constexpr WriteSupport kWriteSupport = {.type_support = type_support,
                                        .roles = true,
                                        .expected_loss = expected_loss};

}  // namespace heron::inline v0::jforests
