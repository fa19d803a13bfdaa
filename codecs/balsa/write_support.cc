// The nine scalars, one per table. No nulls.
#include "balsa/balsa.h"
#include "balsa/layout.h"

namespace heron::inline v0::balsa {
namespace {

TypeSupport holds(const Type& type) {
  if (find_scalar(type.id()) == nullptr) return {};
  return {type, TypeSupport::Nulls::Refused};
}

}  // namespace

constexpr WriteSupport kWriteSupport = {.holds = holds, .one_type = true, .byte_orders = true};

}  // namespace heron::inline v0::balsa
