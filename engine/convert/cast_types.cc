// Decides which types can be cast to which.
#include <algorithm>
#include <array>
#include <span>

#include "convert/cast.h"
#include "convert/cast_decimals.h"
#include "convert/cast_times.h"
#include "convert/number_types.h"

namespace heron::inline v0 {
namespace {

bool sizes_agree(const Type& from, const Type& to) {
  return !from.is(Type::Vector) || !to.is(Type::Vector) || from.size() == 0 || to.size() == 0 ||
         from.size() == to.size();
}

// Returns whether every value of one type has an equal value in the other.
bool holds_every(const Type& from, const Type& to) {
  if (from.is(Type::Null) || (from.is_text() && to.has_bytes()) ||
      (from.is_binary() && to.is_binary())) {
    return true;
  }
  if (from.is(Type::Decimal)) return holds_every_decimal(from, to);
  if (is_number(from) && is_number(to)) {
    return visit_number_type(from, [&]<class From>() {
      return visit_number_type(to, []<class To>() { return kHoldsEvery<From, To>; });
    });
  }
  if (!from.is_nested() || !to.is_nested()) return from == to;
  const bool lengths = !to.is(Type::Vector) ||
                       (from.is(Type::Vector) && (to.size() == 0 || to.size() == from.size()));
  return lengths && holds_every(from.item(), to.item());
}

using Widths = std::array<Type::Id, 4>;  // ascending
constexpr Widths kSigned = {Type::Int8, Type::Int16, Type::Int32, Type::Int64};
constexpr Widths kUnsigned = {Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64};

// Adds the types that are no narrower, then the others, the nearest first.
void add_by_width(const Type& from, std::span<const Type::Id> kind, std::vector<Type>& types) {
  const auto wide = std::find_if(kind.begin(), kind.end(),
                                 [&](Type::Id id) { return Type(id).width() >= from.width(); });
  types.insert(types.end(), wide, kind.end());
  types.insert(types.end(), std::make_reverse_iterator(wide), kind.rend());
}

std::vector<Type> numbers_near(const Type& from) {
  constexpr std::array kFloats = {Type::Float32, Type::Float64};
  const bool is_unsigned = from.is_integer() && from.id() >= Type::UInt8;
  std::vector<Type> types;
  if (from.is_float()) add_by_width(from, kFloats, types);
  add_by_width(from, is_unsigned ? kUnsigned : kSigned, types);
  add_by_width(from, is_unsigned ? kSigned : kUnsigned, types);
  if (!from.is_float()) add_by_width(from, kFloats, types);
  types.push_back(Type::Bool);
  return types;
}

constexpr std::array kTexts = {Type::Text, Type::LargeText};
constexpr std::array kBinary = {Type::Binary, Type::LargeBinary};

// Types of dates and times, and of durations: those that most formats hold first.
std::vector<Type> instants() {
  return {Type::Timestamp,
          Type::DateTime,
          Type::timestamp(Type::Microsecond),
          Type::timestamp(Type::Millisecond),
          Type::timestamp(Type::Second),
          Type::Date32};
}
// A timestamp's unit without a time zone is nearest.
std::vector<Type> instants_near(const Type& from) {
  std::vector<Type> types = instants();
  if (!from.is(Type::Timestamp)) return types;
  const auto own = std::find(types.begin(), types.end(), Type::timestamp(from.unit()));
  std::rotate(types.begin(), own, own + 1);
  return types;
}
std::vector<Type> durations() {
  return {Type::Duration, Type::duration(Type::Nanosecond), Type::duration(Type::Microsecond),
          Type::duration(Type::Millisecond), Type::duration(Type::Second)};
}

void add_times(std::vector<Type>& types) {
  for (const Type& type : instants()) types.push_back(type);
  for (const Type& type : durations()) types.push_back(type);
  types.insert(types.end(), {Type::DateTimeOffset, Type::RowId});
}

std::vector<Type> types_for_key(const Type& key) {
  std::vector<Type> types(kTexts.begin(), kTexts.end());
  add_times(types);
  const std::vector<Type> numbers = numbers_near(key.item());
  types.insert(types.end(), numbers.begin(), numbers.end());
  return types;
}

std::vector<Type> types_for_binary() {
  std::vector<Type> types(kBinary.begin(), kBinary.end());
  types.insert(types.end(), kTexts.begin(), kTexts.end());
  return types;
}

// Returns numbers first: more programs compute with these than with texts.
std::vector<Type> types_for_decimal(const Type& from) {
  const std::vector<Type> wide = {Type::Int64, Type::UInt64};
  std::vector<Type> types = {Type::Float64, Type::Text,  Type::LargeText, Type::Int32, Type::UInt32,
                             Type::Float32, Type::Int16, Type::UInt16,    Type::Int8,  Type::UInt8,
                             Type::Bool};
  types.insert(types.begin() + (from.scale() == 0 ? 0 : 3), wide.begin(), wide.end());
  return types;
}

// Returns types for columns that are all null: most formats can write these as floats, NaN.
std::vector<Type> types_for_null() {
  std::vector<Type> types = numbers_near(Type::Float32);
  types.insert(types.end(), kTexts.begin(), kTexts.end());
  add_times(types);
  return types;
}

// Adds types with items of that type, types of the same shape first.
void add_nested(const Type& from, const Type& item, std::vector<Type>& types) {
  const Type list = Type::list(item), large = Type::list(item, true);
  if (from.is_list()) {
    types.push_back(from.is(Type::List) ? list : large);
    types.push_back(from.is(Type::List) ? large : list);
    if (!item.is_nested()) types.push_back(Type::vector(item));
  } else {
    if (!from.dimensions().empty()) types.push_back(Type::vector(item, from.dimensions()));
    if (from.size() != 0) types.push_back(Type::vector(item, from.size()));
    types.insert(types.end(), {Type::vector(item), list, large});
  }
}

// Returns types near the given one, the nearest first; they may include the type itself.
std::vector<Type> types_near(const Type& from) {
  if (is_number(from)) return numbers_near(from);
  if (from.is(Type::Null)) return types_for_null();
  if (from.is(Type::Key)) return types_for_key(from);
  if (from.is_text()) return {kTexts.begin(), kTexts.end()};
  if (from.is_binary()) return types_for_binary();
  if (from.is(Type::Decimal)) return types_for_decimal(from);
  if (is_plain_instant(from)) return instants_near(from);
  if (from.is(Type::Duration)) return durations();
  std::vector<Type> types;
  if (from.is_nested()) {
    add_nested(from, from.item(), types);
    for (const Type& item : cast_candidates(from.item())) add_nested(from, item, types);
  }
  return types;
}

}  // namespace

bool castable(const Type& from, const Type& to) {
  if (from == to) return true;
  if (to.is(Type::Null)) return false;
  if (from.is(Type::Null)) return !to.is(Type::Vector);
  // The type of its values is unknown here, except that it is neither nested nor a key.
  if (from.is(Type::Key)) return !to.is_nested() && !to.is(Type::Key);
  if (from.is_nested()) {
    return to.is_nested() && sizes_agree(from, to) && castable(from.item(), to.item());
  }
  return (is_number(from) && is_number(to)) || (from.has_bytes() && to.has_bytes()) ||
         are_times_alike(from, to) || decimal_castable(from, to);
}

std::vector<Type> cast_candidates(const Type& from) {
  std::vector<Type> types = types_near(from);
  std::erase(types, from);
  std::stable_partition(types.begin(), types.end(),
                        [&](const Type& to) { return holds_every(from, to); });
  return types;
}

}  // namespace heron::inline v0
