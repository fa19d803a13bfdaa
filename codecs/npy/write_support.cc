// Numbers and bools are stored as they are, times in NumPy's units of as many nanoseconds, texts as
// UCS4 of one length, and vectors as sub-arrays. NaT is a null time, NaN stands for a null float,
// and other types have no nulls.
#include "npy/field_writer.h"
#include "npy/npy.h"

namespace heron::inline v0::npy {
namespace {

TypeSupport type_support(const Type& type) {
  if (type.is(Type::Vector)) {
    const bool is_fixed = type.size() != 0 && type.size() <= INT32_MAX;
    const TypeSupport item = is_fixed ? type_support(type.item()) : TypeSupport{};
    if (!item.read_as) return {};
    if (type.dimensions().empty()) return {Type::vector(*item.read_as, type.size())};
    return {Type::vector(*item.read_as, type.dimensions())};
  }
  if (type.is_text()) return {Type(Type::Text)};
  if (stored_type(type).empty()) return {};
  TypeSupport support = {type};
  if (type.is(Type::Timestamp)) support.read_as = Type::timestamp(type.unit());  // without a zone
  if (type.is_float()) support.nulls = TypeSupport::Nulls::AsNaN;
  if (has_nat(type)) support.nulls = TypeSupport::Nulls::Stored;
  return support;
}

}  // namespace

constexpr WriteSupport kWriteSupport = {.type_support = type_support};

}  // namespace heron::inline v0::npy
