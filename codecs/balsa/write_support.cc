// Balsa stores nine scalar types, one per table, and no nulls.
#include "balsa/balsa.h"
#include "balsa/layout.h"

namespace heron::inline v0::balsa {
namespace {

TypeSupport type_support(const Type& type) {
  if (find_scalar(type.id()) == nullptr) return {};
  return {type, TypeSupport::Nulls::Refused};
}

}  // namespace

constexpr WriteSupport kWriteSupport = {
    .type_support = type_support, .one_type = true};

}  // namespace heron::inline v0::balsa
