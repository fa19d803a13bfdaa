// A scan with a condition: rows are found unit by unit, several at a time on several threads, and
// their other columns are fetched a batch at a time, again several side by side.
#pragma once

#include <deque>
#include <vector>

#include "filter/filter.h"

namespace heron::inline v0 {

// One thread at a time.
class FilteredScan {
 public:
  // Of the options, `where` is there; the range is that of `range`.
  FilteredScan(Projection columns, const ScanOptions& options, RowRange range,
               const Context& context);

  // The next batch, with at least one row; false at the end.
  bool next(RowBatch& batch);
  // The numbers of its rows.
  std::span<const uint64_t> rows() const noexcept { return rows_; }
  uint64_t skipped_rows() const noexcept { return skipped_rows_; }
  const std::string& damage() const noexcept { return damage_; }

 private:
  struct Ready {
    std::vector<uint64_t> rows;
    RowBatch batch;
  };

  void find_rows(uint64_t wanted);
  void find_in_units(uint64_t count);
  void find_in_block();
  void skip_block(const Error& error, uint64_t first_row);
  uint64_t rows_found() const noexcept { return found_.size() - taken_; }
  void prepare();
  void fetch(Ready& ready, const Context& context) const;
  void count_up(const RowBatch& batch);

  Projection columns_;
  ScanOptions options_;
  const Context context_;
  const RowRange range_;
  // Nothing is stored for rows in such number, and of a column nothing can be read: it would be
  // skipped block by block without end.
  const bool skips_all_;
  Filter filter_;
  uint64_t threads_;
  uint64_t next_unit_ = 0;
  uint64_t units_at_once_;
  // Where damage is left out: how many of the next unit's rows have been asked for, and among which
  // rows those in found_ are.
  uint64_t block_rows_done_ = 0;
  RowRange block_;
  std::deque<FilterRoom> rooms_;
  std::vector<uint64_t> found_;  // of which taken_ have been given out
  uint64_t taken_ = 0;
  uint64_t left_;             // of the limit
  std::vector<Ready> ready_;  // of which the first ready_count_ hold batches
  uint64_t ready_count_ = 0;
  uint64_t next_ready_ = 0;
  uint64_t batches_at_once_;
  std::vector<uint64_t> rows_;
  uint64_t skipped_rows_ = 0;
  std::string damage_;
  bool counted_columns_ = false;
};

}  // namespace heron::inline v0
