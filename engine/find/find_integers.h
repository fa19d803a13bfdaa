// Searches many integers at once in cells in memory: each step of their binary searches prefetches
// the cells of the next, so that all their misses overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "columns/column.h"

namespace heron::inline v0 {

// Returns for each key the first equal row, or kNoRow. Returns nullopt unless the column has mapped
// signed integers in the order of its cells, all together or in blocks that are read in place, or
// if the cells read do not ascend, for example because nulls come last: then use KeySearch. Throws
// what reading throws.
std::optional<std::vector<uint64_t>> find_integers(const Column& column,
                                                   std::span<const int64_t> keys,
                                                   const Context& context);

}  // namespace heron::inline v0
