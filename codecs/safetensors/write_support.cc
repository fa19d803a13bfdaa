// The format stores bools, integers, floats, and vectors of them that are all of one size; nulls
// only as NaN.
#include "safetensors/layout.h"
#include "safetensors/safetensors.h"

namespace heron::inline v0::safetensors {
namespace {

TypeSupport type_support(const Type& type) {
  TypeSupport support;
  if (type.is(Type::Vector)) {
    const bool has_size = type.size() != 0 && type.size() <= INT32_MAX;
    if (has_size && find_dtype(type.item().id()) != nullptr) support.read_as = type;
    return support;
  }
  if (find_dtype(type.id()) != nullptr) support.read_as = type;
  if (type.is_float()) support.nulls = TypeSupport::Nulls::AsNaN;
  return support;
}

}  // namespace

constexpr WriteSupport kWriteSupport = {.type_support = type_support};

}  // namespace heron::inline v0::safetensors
