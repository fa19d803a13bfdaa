#include <algorithm>

#include "dataset/skip_damaged.h"
#include "dataset/whole_read.h"
#include "query/batch.h"
#include "query/blocks_ahead.h"
#include "query/filtered_scan.h"

namespace heron::inline v0 {

Scan::Scan(Projection columns, ScanOptions options, Context context)
    : columns_(std::move(columns)), options_(options), context_(std::move(context)) {
  const Table& table = *columns_.table();
  range_ = options_.range.value_or(RowRange{0, table.rows()});
  check_rows(table, range_);
  const bool whole = options_.limit == UINT64_MAX && range_.rows() == table.rows();
  if (whole) check_whole_read(table, columns_.indices(), context_);
  if (options_.batch_rows == 0) fail(ErrorKind::Argument, {}, "a batch needs at least one row");
  if (!options_.where) range_.last = range_.first + std::min(range_.rows(), options_.limit);
  total_rows_ = range_.rows();
  if (options_.limit == UINT64_MAX) check_stored(table, columns_.indices(), total_rows_);
  if (!options_.where) return;
  unless_changed(*table.bytes(), [&] {
    filtered_ = std::make_shared<FilteredScan>(columns_, options_, range_, context_);
  });
}

bool Scan::next(RowBatch& batch) {
  if (filtered_ != nullptr) return next_filtered(batch);
  while (range_.first < range_.last) {
    context_.step(total_rows_ - range_.rows(), total_rows_);
    RowRange rows{range_.first, range_.first + std::min(range_.rows(), options_.batch_rows)};
    // Of a batch over several blocks, damage in one would cost the others.
    const uint64_t end = end_of_block(rows.first, range_.last, columns_.block_rows());
    if (context_.skip_damaged != nullptr) rows.last = std::min(rows.last, end);
    first_row_ = rows.first;
    range_.first = rows.last;
    const bool readable =
        unless_damaged(end - rows.first, *columns_.table()->bytes(), context_, [&] {
          if (context_.threads != 1) decode_ahead(rows);
          read(columns_, rows, batch, context_);
        });
    if (readable) return true;
    range_.first = end;
  }
  finish(batch);
  return false;
}

// What was made of the last batch may have been read from the file after it was given.
void Scan::finish(RowBatch& batch) const {
  begin_batch(batch, columns_, context_);
  columns_.table()->check_unchanged();
}

bool Scan::next_filtered(RowBatch& batch) {
  const bool more =
      unless_changed(*columns_.table()->bytes(), [&] { return filtered_->next(batch); });
  rows_ = more ? filtered_->rows() : std::span<const uint64_t>();
  if (more) first_row_ = rows_.front();
  if (!more) finish(batch);
  return more;
}

// Blocks of the next batches, too: to begin together costs threads some microseconds each time.
void Scan::decode_ahead(RowRange rows) {
  constexpr uint64_t kBatches = 4;
  if (rows.first < ahead_row_) return;
  ahead_row_ = rows.last;
  for (uint64_t k = 1; k < kBatches; ++k) {
    ahead_row_ += std::min(range_.last - ahead_row_, options_.batch_rows);
  }
  BlocksAhead blocks(columns_, RowRange{rows.first, ahead_row_}, context_);
  blocks.reach(0);
  ahead_ = std::move(blocks).keep();
}

}  // namespace heron::inline v0
