// Types are stored as they are, texts and lists in the narrowest type that fits. Nulls are marked
// in the cells or by a bitmap; a null float is a NaN, and any NaN is null.
#include "jay/jay.h"
#include "jay/options.h"

namespace heron::inline v0::jay {
namespace {

// Readers verify records to a depth of 64 tables.
constexpr int kMaxNestedLists = 50;

std::optional<Type> read_as(const Type& type, int lists_around) {
  if (type.is_text()) return Type::Text;
  if (type.is_list()) {
    if (lists_around == kMaxNestedLists) return std::nullopt;
    std::optional<Type> item = read_as(type.item(), lists_around + 1);
    if (item) item = Type::list(*std::move(item), type.is(Type::LargeList));
    return item;
  }
  if (type.is(Type::Timestamp) && type != Type::Timestamp) return std::nullopt;
  const bool is_unsigned = type.id() >= Type::UInt8 && type.id() <= Type::UInt64;
  if (is_unsigned || type.id() >= Type::DateTime) return std::nullopt;
  return type;
}

TypeSupport type_support(const Type& type) {
  return {read_as(type, 0), TypeSupport::Nulls::Stored, type.is_float()};
}

// Before version 1.1 there were no lists, and a null column ended the reader.
TypeSupport legacy_type_support(const Type& type) {
  return type.is_list() || type.is(Type::Null) ? TypeSupport{} : type_support(type);
}

constexpr WriteSupport kLegacyWriteSupport = {.type_support = legacy_type_support, .keys = true};

const WriteSupport& with(const WriteOptions& options) {
  return layout_of(options) == Layout::Legacy ? kLegacyWriteSupport : kWriteSupport;
}

}  // namespace

constexpr WriteSupport kWriteSupport = {
    .type_support = type_support, .keys = true, .with = with};

}  // namespace heron::inline v0::jay
