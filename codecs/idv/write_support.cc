// Version 1.1.1.6 stores every type with a codec, keys by their numbers, and vectors of all these.
// Nulls are stored as NaN, which is a value, or as the key 0.
#include "format/written_keys.h"
#include "idv/codec_type.h"
#include "idv/idv.h"

namespace heron::inline v0::idv {
namespace {

std::optional<Type> read_as(const Type& type) {
  if (type.is(Type::Vector)) {
    const std::optional<Type> item = read_as(type.item());
    if (!item || type.size() > INT32_MAX) return std::nullopt;
    if (type.dimensions().empty()) return Type::vector(*item, type.size());
    return Type::vector(*item, type.dimensions());
  }
  if (type.is(Type::Key) ? !is_whole_key(type) : plain_codec(type).empty()) return std::nullopt;
  return type.is_text() ? Type(Type::Text) : type;
}

TypeSupport type_support(const Type& type) {
  TypeSupport support = {read_as(type)};
  if (type.is(Type::Key)) support.nulls = TypeSupport::Nulls::Stored;
  if (type.is_float()) support.nulls = TypeSupport::Nulls::AsNaN;
  return support;
}

}  // namespace

constexpr WriteSupport kWriteSupport = {.type_support = type_support};

}  // namespace heron::inline v0::idv
