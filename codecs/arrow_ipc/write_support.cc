// Types are stored as they are, nulls in bitmaps; vectors as lists of all their slots, of fixed size
// if their rows have one, and without nulls. Keys are codes into an ordered dictionary if they have
// values, else their numbers. Datetimeoffsets are structs of the instant and the offset, whose
// metadata has their type, so that they are read as one column.
#include "arrow_ipc/arrow_ipc.h"
#include "format/written_keys.h"

namespace heron::inline v0::arrow_ipc {
namespace {

// Other readers verify metadata to a depth of 64 tables or more.
constexpr int kMaxNestedLists = 24;

bool is_stored(const Type& type, int lists_around) {
  if (type.is_list()) {
    return lists_around < kMaxNestedLists && is_stored(type.item(), lists_around + 1);
  }
  return type.is(Type::Null) || type.is(Type::Bool) || type.is_integer() || type.is_float() ||
         type.has_bytes() || type.is(Type::Decimal) || type.is(Type::Date32) ||
         type.is(Type::Timestamp) || type.is(Type::Time) ||
         (type.is(Type::Duration) && type.unit() != Type::Tick);
}

TypeSupport type_support(const Type& type) {
  if (type.is(Type::Vector)) {
    if (type.size() > INT32_MAX || !is_stored(type.item(), 1)) return {};
    return {.read_as = Type::list(type.item(), true)};
  }
  constexpr auto kStored = TypeSupport::Nulls::Stored;
  if (type.is(Type::DateTimeOffset) || (type.is(Type::Key) && is_whole_key(type))) {
    return {.read_as = type, .nulls = kStored};
  }
  if (type.is(Type::RowId)) return {.read_as = Type::LargeBinary, .nulls = kStored};
  if (!is_stored(type, 0)) return {};
  return {.read_as = type, .nulls = kStored};
}

}  // namespace

constexpr WriteSupport kWriteSupport = {.type_support = type_support};

}  // namespace heron::inline v0::arrow_ipc
