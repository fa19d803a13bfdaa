// Many integers at once among cells that lie in memory: each step of their binary searches asks for
// the cells of the next, so that the misses of all of them overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "columns/column.h"

namespace heron::inline v0 {

// Of each key the first row that is equal, or kNoRow. Nothing if the column is not one of mapped
// signed integers whose order is that of its cells, or if cells that were looked at do not ascend,
// as where nulls come last: KeySearch is for those.
std::optional<std::vector<uint64_t>> find_integers(const Column& column,
                                                   std::span<const int64_t> keys);

}  // namespace heron::inline v0
