// Prefetches together the cells of a column that a search reads next.
#pragma once

#include "columns/column.h"
#include "columns/prefetch.h"

namespace heron::inline v0 {

// One thread at a time. The cells must outlive it.
class CellsAhead {
 public:
  // Has no effect if a sample of a few cells is in memory.
  explicit CellsAhead(const FlatCells& flat) : flat_(flat) {
    constexpr uint64_t kSamples = 8;
    if (!flat.cells.source->may_be_cold()) return;
    Prefetch sample;
    for (uint64_t i = 0; i < kSamples; ++i) {
      sample.add(flat.cells, flat.cells.bytes / kSamples * i, 1);
    }
    prefetches_ = sample.any_cold();
  }

  // Prefetches the `rows` from first[i] + ahead on, for each i below count.
  void prefetch(const uint64_t* first, uint64_t count, uint64_t ahead, uint64_t rows) {
    if (!prefetches_) return;
    for (uint64_t i = 0; i < count; ++i) {
      pages_.add(flat_.cells, (first[i] + ahead) * flat_.stride, rows * flat_.stride);
    }
    pages_.start();
  }

 private:
  const FlatCells& flat_;
  Prefetch pages_;
  bool prefetches_ = false;
};

}  // namespace heron::inline v0
