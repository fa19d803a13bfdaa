// The nine scalars, of which a table has one. Nothing can be null.
#include "balsa/balsa.h"
#include "balsa/layout.h"

namespace heron::inline v0::balsa {
namespace {

Holding holds(const Type& type) {
  if (find_scalar(type.id()) == nullptr) return {};
  return {type, Holding::Nulls::Refused};
}

}  // namespace

constexpr Capacity kCapacity = {.holds = holds, .one_type = true, .byte_orders = true};

}  // namespace heron::inline v0::balsa
