// The format stores bools, integers, floats, and vectors of them that are all of one size; nulls
// only as NaN.
#include "safetensors/layout.h"
#include "safetensors/options.h"
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

// Small floats are read as float32.
TypeSupport small_float_support(const Type& type) {
  TypeSupport support = type_support(type);
  if (!support.read_as) return support;
  if (type.is_float()) support.read_as = Type::Float32;
  if (type.is(Type::Vector) && type.item().is_float()) {
    support.read_as = type.dimensions().empty() ? Type::vector(Type::Float32, type.size())
                                                : Type::vector(Type::Float32, type.dimensions());
  }
  return support;
}

constexpr WriteSupport kSmallFloats = {.type_support = small_float_support};

const WriteSupport& with(const WriteOptions& options) {
  return float_type(options) ? kSmallFloats : kWriteSupport;
}

}  // namespace

constexpr WriteSupport kWriteSupport = {.type_support = type_support, .with = with};

}  // namespace heron::inline v0::safetensors
