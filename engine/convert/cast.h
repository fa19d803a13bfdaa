// Values of one type as those of another, where nothing is lost by it.
//
//   bool, integers, floats    each as any other of them that has an equal number; -0.0 is only
//                             itself, and any NaN is NaN
//   date32, timestamp, datetime   as each other, where it is the same instant; a datetime outside
//   of
//                             the calendar is none
//   key                       as what it stands for; if for nothing, as its number; and on from
//   there list <-> large list, vector -> list (dense), list -> vector (all slots; of known size
//   where all
//                             rows have it, never of a null list), items cast likewise
//   text <-> large text
//   null                      as anything but a vector, all of it null
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "heron/context.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Whether some values of the one can be the other's. A type is castable to itself.
bool castable(const Type& from, const Type& to);

// The other types that values of this one can be cast to, in the order in which they should be
// tried: first those that hold every value of it, then those that hold some, the nearest first: the
// same kind of number in the next width, bool last. What keys stand for only a batch tells: text is
// tried first, then other kinds, then their numbers.
std::vector<Type> cast_candidates(const Type& from);

// What to do with a null whose type is a float once it is cast, also an item's.
enum class NullFloat : uint8_t { Keep, AsNaN };

// The first row that has no equal in the other type.
struct CastFault {
  uint64_t row = 0;   // of the values
  std::string value;  // as people read it; of a nested one the item in question
};

// Values of type `to`, of a castable() type, in the arena or where they were: what needs no change
// is not copied. A fault: `into` is not to be used. Throws Error(Limit) for vectors that have more
// than 16 Mi slots in all where a cast makes them dense, and for more items or characters than
// offsets of 32 bits can count.
std::optional<CastFault> cast(const Values& values, const Type& to, NullFloat nulls,
                              Arena& arena, Values& into);

}  // namespace heron::inline v0
