// Casts decimals to numbers, texts and decimals of another size.
#pragma once

#include <cstdint>
#include <optional>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns whether some decimals of one type can be cast to the other.
bool decimal_castable(const Type& from, const Type& to);

// Returns whether every decimal of one type can be cast to the other.
bool holds_every_decimal(const Type& from, const Type& to);

// Casts to into.type, which has its rows and nulls. Returns the first row that is not null and has
// no equal value there; a float is equal to a decimal if it is the nearest to it and the decimal
// the nearest to the float, among those of as many digits behind the point.
std::optional<uint64_t> cast_decimals(const Values& values, Values& into, Arena& arena);

}  // namespace heron::inline v0
