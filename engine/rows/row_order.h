// Row numbers in any order, brought nearly into the order of the table by one pass of a radix sort:
// cells read in it come from a few pages at a time, which ascend, where cells in the order given
// are a miss of the caches and of the TLB each.
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.h"

namespace heron::inline v0 {

// A row, and its index in the list that it comes from.
struct IndexedRow {
  uint32_t row;
  uint32_t index;
};

// Returns whether sorting this many rows of a table makes reading them quicker: below some per page
// of cells, neighbours share neither lines nor pages.
inline bool is_sorting_worthwhile(uint64_t rows, uint64_t table_rows) noexcept {
  constexpr uint64_t kMinRows = uint64_t{1} << 15, kMinOfAll = 256;
  return rows >= kMinRows && table_rows <= UINT32_MAX && rows >= table_rows / kMinOfAll;
}

// Returns fewer than 2^32 rows, all below `table_rows`, sorted by their number but for its lowest
// bits. They live in the arena.
std::span<const IndexedRow> nearly_sorted(std::span<const uint64_t> rows, uint64_t table_rows,
                                          Arena& arena);

}  // namespace heron::inline v0
