// Concatenates values in memory, or picks rows by number, for every type, also nested ones.
#pragma once

#include <span>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns all rows of the pieces, which are of this type, in order. The result lives in the arena,
// except that a single piece is returned as it is. Pieces of a key type share the same key values,
// and so does the result. Throws Error(Limit) if 32-bit offsets cannot count the content of all
// pieces.
Values concatenate(const Type& type, std::span<const Values> pieces, Arena& arena);

// Copies values into the arena; key values are shared.
Values copy(const Values& values, Arena& arena);

// Returns values whose row i is row rows[i] of `values`; rows are below values.rows and may repeat.
// The result lives in the arena; key values are shared. Throws Error(Limit) as concatenate() does.
Values pick(const Values& values, std::span<const uint32_t> rows, Arena& arena);

// Returns `rows` nulls of a type that is no vector. The result lives in the arena.
Values all_null(const Type& type, uint64_t rows, Arena& arena);

// Returns the 64-bit offsets of rows of `width` items or bytes each, in the arena.
Buffer even_offsets(uint64_t rows, uint64_t width, Arena& arena);

}  // namespace heron::inline v0
