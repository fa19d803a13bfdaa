// Rows by number, sorted by the part of a column that they lie in.
#pragma once

#include <cstdint>

#include "base/arena.h"

namespace heron::inline v0 {

// The positions 0 .. count - 1 in ascending order of part_of[position], all below `parts`;
// positions of one part in no defined order. Counted where there are many of them, else sorted.
const uint32_t* order_by_part(const uint32_t* part_of, uint64_t count, uint64_t parts,
                              Arena& arena);

}  // namespace heron::inline v0
