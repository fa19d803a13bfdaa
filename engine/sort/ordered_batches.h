// Reads the rows of a query in its order, in batches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heron/table.h"
#include "heron/values.h"
#include "sort/ordered_rows.h"

namespace heron::inline v0 {

// The rows of a batch lie anywhere in the table. If values have to be decoded, some ten MB of rows
// are read at once, in the order of the table, so that each block is decoded once for all of these
// rows, not once for every batch. One thread at a time.
class OrderedBatches {
 public:
  // `context` must outlive this. Throws what OrderedRows throws.
  OrderedBatches(Projection columns, const Query& query, const Context& context);

  uint64_t rows() const noexcept { return order_.size(); }
  // Returns how many rows are done: returned, or left out as damaged.
  uint64_t done() const noexcept { return done_; }
  // Reads up to `count` rows; returns false if none is left. Throws what take() throws; rows of
  // damaged blocks are left out if the query allows that.
  bool next(uint64_t count, RowBatch& batch);
  // Returns the row numbers of the last batch, valid until the next call.
  std::span<const uint64_t> numbers() const noexcept { return numbers_; }

 private:
  void read_window(uint64_t least_rows);
  void pick_rows(uint64_t count, RowBatch& batch);

  const Projection columns_;
  SkippedRows* const skipped_;  // null: damage is an error
  const Context& context_;
  OrderedRows order_;
  const bool is_decoded_;
  uint64_t done_ = 0;
  uint64_t window_rows_ = 0;         // rows of the next window
  std::vector<uint64_t> window_;     // row numbers of the window, in the query's order
  uint64_t picked_ = 0;              // rows of window_ that batches have had
  std::vector<uint64_t> held_rows_;  // row numbers of held_, ascending
  RowBatch held_;                    // values of the window's readable rows
  std::vector<uint64_t> numbers_;
};

}  // namespace heron::inline v0
