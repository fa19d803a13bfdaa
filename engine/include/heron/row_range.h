// Consecutive rows of a table.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

// Rows numbered first up to last, last not included.
struct RowRange {
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t rows() const noexcept { return last - first; }
};

}  // namespace heron::inline v0
