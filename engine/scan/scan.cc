#include "heron/scan.h"

#include <algorithm>

#include "heron/take.h"
#include "readahead/blocks_ahead.h"
#include "readahead/read_ahead.h"
#include "rows/batch.h"
#include "rows/resolved_query.h"
#include "scan/filtered_scan.h"
#include "sort/ordered_batches.h"
#include "table/internals.h"
#include "table/skip_damaged.h"
#include "table/whole_read.h"

namespace heron::inline v0 {

class Scan::Impl {
 public:
  Impl(const Query& query, const Context& context, uint64_t batch_rows);

  bool next(RowBatch& batch);
  uint64_t first_row() const noexcept { return first_row_; }
  std::span<const uint64_t> rows() const noexcept { return rows_; }

 private:
  bool next_filtered(RowBatch& batch);
  bool next_ordered(RowBatch& batch);
  void finish(RowBatch& batch) const;
  void decode_ahead(RowRange rows);
  void ask_ahead(RowRange rows);

  const Projection columns_;
  const Context context_;
  const uint64_t batch_rows_;
  RowRange range_;                                  // the rows still to come
  std::vector<std::shared_ptr<const void>> ahead_;  // blocks decoded for the rows before ahead_row_
  uint64_t ahead_row_ = 0;
  uint64_t first_row_ = 0;
  std::optional<FilteredScan> filtered_;   // with a predicate
  std::optional<OrderedBatches> ordered_;  // with an order
  std::span<const uint64_t> rows_;
  uint64_t total_rows_ = 0;
  ReadAhead pages_;                         // step by step
  uint64_t step_rows_ = 1;                  // of a step
  std::optional<BlocksAhead> next_blocks_;  // that work_ decodes, for the rows before next_row_
  uint64_t next_row_ = 0;
  WorkAhead work_;
};

Scan::Impl::Impl(const Query& query, const Context& context, uint64_t batch_rows)
    : columns_(query.columns.of(query.table)), context_(context), batch_rows_(batch_rows) {
  const SelectedBy selected(query,
                            {.call = "a scan", .columns = true, .limit = true, .order = true});
  if (batch_rows_ == 0) fail(ErrorKind::Argument, {}, "a batch needs at least one row");
  const Table& table = *selected.table;
  range_ = selected.range;
  const bool unlimited = query.limit == Query::kNoLimit;
  if (unlimited && selected.is_whole()) check_whole_read(table, columns_.indices(), context_);
  if (!selected.where) range_.last = range_.first + std::min(range_.rows(), query.limit);
  total_rows_ = range_.rows();
  step_rows_ = rows_of_a_step(internals(columns_).columns());
  if (unlimited || !selected.where) check_stored(table, columns_.indices(), total_rows_);
  if (!query.order.empty()) {
    Query numbers = query;
    numbers.columns = Columns();
    numbers.where = selected.where;
    ordered_.emplace(columns_, numbers, context_);
  } else if (selected.where) {
    unless_changed(bytes_of(table), [&] {
      filtered_.emplace(columns_, selected, query.limit, batch_rows_, context_);
    });
  }
}

bool Scan::Impl::next(RowBatch& batch) {
  if (ordered_) return next_ordered(batch);
  if (filtered_) return next_filtered(batch);
  while (range_.first < range_.last) {
    context_.step(total_rows_ - range_.rows(), total_rows_);
    RowRange rows{range_.first, range_.first + std::min(range_.rows(), batch_rows_)};
    // In a batch over several blocks, damage in one block would lose the rows of the others.
    const uint64_t end = end_of_block(rows.first, range_.last, columns_.block_rows());
    if (context_.skip_damaged != nullptr) rows.last = std::min(rows.last, end);
    first_row_ = rows.first;
    range_.first = rows.last;
    const bool readable =
        unless_damaged(end - rows.first, bytes_of(*columns_.table()), context_, [&] {
          ask_ahead(rows);
          if (context_.threads != 1) decode_ahead(rows);
          read_asked(columns_, rows, batch, context_);
        });
    if (readable) return true;
    range_.first = end;
  }
  finish(batch);
  return false;
}

// The caller may have read from the file after it got the last batch.
void Scan::Impl::finish(RowBatch& batch) const {
  begin_batch(batch, columns_, context_);
  columns_.table()->check_unchanged();
}

bool Scan::Impl::next_filtered(RowBatch& batch) {
  const bool more =
      unless_changed(bytes_of(*columns_.table()), [&] { return filtered_->next(batch); });
  rows_ = more ? filtered_->rows() : std::span<const uint64_t>();
  if (more) first_row_ = rows_.front();
  if (!more) finish(batch);
  return more;
}

bool Scan::Impl::next_ordered(RowBatch& batch) {
  const bool more = ordered_->next(batch_rows_, batch);
  rows_ = ordered_->numbers();
  if (more) first_row_ = rows_.front();
  if (!more) finish(batch);
  return more;
}

void Scan::Impl::ask_ahead(RowRange rows) {
  const uint64_t steps = range_.last / step_rows_ + (range_.last % step_rows_ != 0);
  pages_.reach(rows.first / step_rows_, steps, bytes_of(*columns_.table()), context_,
               [this](uint64_t step, unsigned round, Prefetch& bytes) {
                 const uint64_t first = step * step_rows_;
                 const RowRange some{first, first + std::min(step_rows_, range_.last - first)};
                 for (const Column* column : internals(columns_).columns()) {
                   column->locate({{}, some}, round, bytes, context_);
                 }
               });
}

// Some batches at a time: starting threads takes some microseconds. From the second time on, other
// threads decode the next ones while the caller works on these.
void Scan::Impl::decode_ahead(RowRange rows) {
  constexpr uint64_t kBatches = 4;
  if (rows.first < ahead_row_) return;
  const bool is_second = ahead_row_ != 0;
  const auto end_after = [&](uint64_t row) {
    for (uint64_t k = 0; k < kBatches; ++k) row += std::min(range_.last - row, batch_rows_);
    return row;
  };
  if (next_blocks_ && rows.first < next_row_) {
    ahead_row_ = next_row_;
    work_.join();
    context_.check_cancelled();
  } else {
    ahead_row_ = end_after(rows.first);
    work_.join();
    next_blocks_.emplace(columns_, RowRange{rows.first, ahead_row_}, context_);
    next_blocks_->reach(0);
  }
  ahead_ = std::move(*next_blocks_).keep();
  next_blocks_.reset();
  if (!is_second || ahead_row_ == range_.last) return;
  next_row_ = end_after(ahead_row_);
  next_blocks_.emplace(columns_, RowRange{ahead_row_, next_row_}, context_);
  next_blocks_->start(work_);
}

Scan::Scan(const Query& query, const Context& context, uint64_t batch_rows)
    : impl_(std::make_unique<Impl>(query, context, batch_rows)) {}
Scan::~Scan() = default;
Scan::Scan(Scan&&) noexcept = default;
Scan& Scan::operator=(Scan&&) noexcept = default;

bool Scan::next(RowBatch& batch) {
  return impl_->next(batch);
}

uint64_t Scan::first_row() const noexcept {
  return impl_->first_row();
}

std::span<const uint64_t> Scan::rows() const noexcept {
  return impl_->rows();
}

}  // namespace heron::inline v0
