// Casts between lists and vectors.
#pragma once

#include <optional>

#include "convert/cast.h"

namespace heron::inline v0 {

// Casts between nested types, as cast() does.
std::optional<CastFault> cast_nested(const Values& values, const Type& to, NullFloat nulls,
                                     Arena& arena, Values& into);

// The offsets of lists or texts in another width, relative to `base`, which is at most the first.
// Throws Error(Limit) if 32 bits do not hold them.
Buffer cast_offsets(const Values& values, bool large, uint64_t base, Arena& arena);

}  // namespace heron::inline v0
