// Converts values to another type without loss.
//
//   bool, integers, floats    to any other of them with an equal number; -0.0 only to itself, and
//                             any NaN to NaN
//   date32, timestamp, datetime   to each other, if it is the same instant; not a datetime outside
//                             the calendar
//   key                       its value, if any, else its number, converted as above
//   list <-> large list, vector -> list (dense), list -> vector (all slots; of fixed size if all
//                             rows have it, never of a null list), items cast likewise
//   text <-> large text, binary <-> large binary; text to binary, binary that is UTF-8 to text
//   decimal                   a decimal of another size, a number, or text, as cast_decimals.h says
//   null                      to anything but a vector, all null
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "heron/context.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns whether some values of one type can be cast to the other. A type is castable to itself.
bool castable(const Type& from, const Type& to);

// Returns the other types that values of this type can be cast to, in the order in which to try
// them: first types that hold every value of it, then types that hold some, the nearest first (the
// same kind of number in the next width, bool last). The values of keys are known only from a
// batch: text is tried first, then other kinds, then their numbers.
std::vector<Type> cast_candidates(const Type& from);

// How a null row or item is cast to a float.
enum class NullFloat : uint8_t { Keep, AsNaN };

// The first row without an equal value in the other type.
struct CastFault {
  uint64_t row = 0;   // index in the values
  std::string value;  // for error texts; for a nested value the item
};

// Casts values to type `to`, which is castable(), in the arena or in place: unchanged values are
// not copied. After a fault, `into` is invalid. Throws Error(Limit) for vectors that a cast makes
// dense with more than 16 Mi slots in all, and for more items or characters than offsets of 32 bits
// can count.
std::optional<CastFault> cast(const Values& values, const Type& to, NullFloat nulls, Arena& arena,
                              Values& into);

}  // namespace heron::inline v0
