// Values of one type as those of another, where nothing is lost by it.
//
//   bool, integers, floats    each as any other of them that has an equal number; -0.0 is only
//                             itself, and any NaN is NaN
//   date32, timestamp, datetime   as each other, where it is the same instant
//   key                       as what it stands for; if for nothing, as its number
//   list <-> large list, vector -> list (dense), list -> vector (all slots; of known size where all
//                             rows have it), items cast likewise
//   text <-> large text
//   null                      as anything, all of it missing
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

// The types that values of this one can be cast to, in the order in which they should be tried:
// first those that hold every value of it, the nearest first, then those that hold some.
std::vector<Type> cast_candidates(const Type& from);

// What to do with a missing value whose type is a float.
enum class MissingFloat : uint8_t { Keep, AsNaN };

// The first value that has no equal in the other type.
struct CastFault {
  uint64_t row = 0;   // of the values
  std::string value;  // as people read it
};

// Values of type `to`, of a castable() type, in the arena or where they were. A fault: `into` is
// not to be used.
std::optional<CastFault> cast(const Values& values, const Type& to, MissingFloat missing,
                              Arena& arena, Values& into);

}  // namespace heron::inline v0
