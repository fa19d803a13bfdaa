// A scan with a predicate: selects rows morsel by morsel and reads their columns batch by batch, in
// parallel on the Context's threads, the next batches while the caller uses those it has.
#pragma once

#include <deque>
#include <vector>

#include "base/parallel.h"
#include "exec/sink.h"
#include "heron/values.h"
#include "rows/resolved_query.h"

namespace heron::inline v0 {

// Collects the row ids of the selection, in table order.
class RowIdSink final : public Sink {
 public:
  // If damage is left out (`by_block`), results are separate for every `block_rows` of the table.
  RowIdSink(uint64_t block_rows, bool by_block) : block_rows_(block_rows), by_block_(by_block) {}

  // The selected rows within some rows of the table.
  struct Found {
    RowRange rows;
    std::vector<uint64_t> ids;  // at least one
  };
  // The results not yet consumed: one per block, or one for all.
  std::deque<Found>& found() noexcept { return found_; }

  std::unique_ptr<LocalState> local(uint64_t first_row) const override;
  void consume(uint64_t number, MorselReader& morsel, LocalState& local) const override;
  void combine(uint64_t lane, LocalState& local) override;
  Pace pace() const override { return {.ranges_a_thread = 4, .grows = true}; }

 private:
  const uint64_t block_rows_;
  const bool by_block_;
  std::deque<Found> found_;
};

// One thread at a time.
class FilteredScan {
 public:
  FilteredScan(Projection columns, const SelectedBy& selected, uint64_t limit, uint64_t batch_rows,
               const Context& context);

  // The next batch, with at least one row; false at the end.
  bool next(RowBatch& batch);
  // The row numbers of the batch.
  std::span<const uint64_t> rows() const noexcept { return rows_; }

 private:
  struct Ready {
    std::vector<uint64_t> rows;
    RowBatch batch;
  };
  // Batches that are read in parallel.
  struct Window {
    std::vector<Ready> all;  // the first `count` are in use
    uint64_t count = 0;
    uint64_t next = 0;
  };

  void find_rows(uint64_t wanted);
  uint64_t rows_found() const noexcept { return found_.size() - taken_; }
  void prepare();
  bool fill(Window& window);
  void fetch_ahead();
  void fetch(Ready& ready, const Context& context) const;
  void count_up(const RowBatch& batch);

  Projection columns_;
  const uint64_t batch_rows_;
  const Context context_;
  const Input input_;
  RowIdSink sink_;
  Run run_;
  uint64_t threads_;
  RowRange block_;               // if damage is left out: the block of the rows in found_
  std::vector<uint64_t> found_;  // of which taken_ have been returned
  uint64_t taken_ = 0;
  uint64_t left_;  // of the limit
  Window ready_, ahead_;
  uint64_t windows_ = 0;
  uint64_t batches_at_once_;
  std::vector<uint64_t> rows_;
  bool counted_columns_ = false;
  WorkAhead work_;  // on ahead_
};

}  // namespace heron::inline v0
