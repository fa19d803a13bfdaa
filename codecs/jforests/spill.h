// Transposes columns of doubles that are appended a few rows at a time and read a column at a time.
// Rows are held in stripes; within a stripe each column's cells are adjacent, so that reading a
// column takes one read per stripe. The open stripe is in memory, the full ones are in a scratch
// file.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "bytes/scratch_file.h"
#include "heron/values.h"

namespace heron::inline v0::jforests {

// One thread at a time. Throws Error(Write).
class Spill {
 public:
  // `memory_bytes` is the memory of a stripe, as long as it holds a few rows. Errors name `path`.
  Spill(const std::string& path, uint64_t columns, uint64_t memory_bytes);

  // Calls fill(column, rows, cells) for every column, which writes the cells of these of the added
  // rows.
  template <class Fill>
  void append(uint64_t rows, Fill fill) {
    for (uint64_t first = 0; first < rows;) {
      const uint64_t count = std::min(rows - first, stripe_rows_ - used_);
      for (uint64_t column = 0; column < columns_; ++column) {
        fill(column, RowRange{first, first + count},
             std::span(stripe_.get() + column * stripe_rows_ + used_, count));
      }
      used_ += count;
      first += count;
      if (used_ == stripe_rows_) flush();
    }
  }

  // Visits a column's cells in order; every piece but the last has a multiple of 8 cells.
  using Visitor = std::function<void(std::span<const double> cells)>;
  void visit(uint64_t column, const Visitor& visitor);

 private:
  void flush();

  ScratchFile scratch_;
  const uint64_t columns_;
  const uint64_t stripe_rows_;
  std::unique_ptr<double[]> stripe_;
  uint64_t used_ = 0;  // rows in the open stripe
  uint64_t flushed_ = 0;
  std::vector<double> piece_;
};

}  // namespace heron::inline v0::jforests
