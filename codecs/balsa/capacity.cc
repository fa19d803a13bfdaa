// The nine scalars, one per table. No nulls.
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
