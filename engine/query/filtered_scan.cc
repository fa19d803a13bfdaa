#include "query/filtered_scan.h"

#include <algorithm>

#include "base/parallel.h"
#include "dataset/skip_damaged.h"
#include "query/batch.h"

namespace heron::inline v0 {
namespace {

// Each thread's share of what is done side by side: enough that none waits long for the last.
constexpr uint64_t kUnitsAThread = 4;
constexpr uint64_t kBatchesAThread = 2;

bool are_neighbours(const std::vector<uint64_t>& rows) {
  return rows.back() - rows.front() == rows.size() - 1;
}

}  // namespace

FilteredScan::FilteredScan(Projection columns, const ScanOptions& options, RowRange range,
                           const Context& context)
    : columns_(std::move(columns)),
      options_(options),
      context_(context),
      filter_(*options.where, range, context, options.counters),
      threads_(context.skip_damaged != nullptr ? 1 : thread_count(context)),
      units_at_once_(threads_),
      left_(options.limit),
      batches_at_once_(threads_) {}

bool FilteredScan::next(RowBatch& batch) {
  if (next_ready_ == ready_count_) prepare();
  if (next_ready_ == ready_count_) return false;
  Ready& ready = ready_[next_ready_++];
  std::swap(batch, ready.batch);
  std::swap(rows_, ready.rows);
  if (options_.counters != nullptr) count_up(batch);
  return true;
}

// A batch for each thread at first: whoever asked may want no more.
void FilteredScan::prepare() {
  next_ready_ = ready_count_ = 0;
  while (ready_count_ == 0) {
    find_rows(std::min(left_, options_.batch_rows * batches_at_once_));
    if (left_ == 0 || rows_found() == 0) return;
    while (rows_found() != 0 && left_ != 0 && ready_count_ < batches_at_once_) {
      const uint64_t count = std::min({rows_found(), options_.batch_rows, left_});
      if (ready_.size() == ready_count_) ready_.emplace_back();
      const auto first = found_.begin() + static_cast<ptrdiff_t>(taken_);
      ready_[ready_count_++].rows.assign(first, first + static_cast<ptrdiff_t>(count));
      taken_ += count;
      left_ -= count;
    }
    // The rows of the block from the first of them on.
    const uint64_t rows = block_.last - ready_.front().rows.front();
    const bool readable = unless_damaged(rows, *columns_.table()->bytes(), context_, [this] {
      parallel_for(ready_count_, context_,
                   [this](uint64_t i, const Context& one_thread) { fetch(ready_[i], one_thread); });
    });
    if (readable) break;
    for (uint64_t i = 0; i < ready_count_; ++i) left_ += ready_[i].rows.size();
    found_.clear();
    taken_ = 0;
    ready_count_ = 0;
  }
  if (threads_ > 1) {
    batches_at_once_ = std::min(2 * batches_at_once_, kBatchesAThread * threads_);
  }
}

void FilteredScan::fetch(Ready& ready, const Context& context) const {
  // What reports progress is finding rows.
  Context quiet = context;
  quiet.progress = nullptr;
  if (are_neighbours(ready.rows)) {
    read(columns_, {ready.rows.front(), ready.rows.back() + 1}, ready.batch, quiet);
  } else {
    take(columns_, ready.rows, ready.batch, quiet);
  }
}

// At least so many, if there are.
void FilteredScan::find_rows(uint64_t wanted) {
  if (rows_found() == 0 || taken_ > found_.size() / 2) {
    found_.erase(found_.begin(), found_.begin() + static_cast<ptrdiff_t>(taken_));
    taken_ = 0;
  }
  while (rows_found() < wanted && next_unit_ < filter_.unit_count()) {
    context_.step(next_unit_, filter_.unit_count());
    if (context_.skip_damaged != nullptr) {
      if (rows_found() != 0) return;  // of one block at a time
      find_in_block();
      continue;
    }
    const uint64_t count = std::min(units_at_once_, filter_.unit_count() - next_unit_);
    find_in_units(count);
    next_unit_ += count;
    if (threads_ > 1) units_at_once_ = std::min(2 * units_at_once_, kUnitsAThread * threads_);
  }
}

void FilteredScan::find_in_units(uint64_t count) {
  while (rooms_.size() < count) rooms_.emplace_back(context_);
  parallel_for(count, context_, [this](uint64_t i, const Context&) {
    filter_.select(filter_.unit(next_unit_ + i), rooms_[i]);
  });
  for (uint64_t i = 0; i < count; ++i) {
    rooms_[i].append_rows(filter_.unit(next_unit_ + i), found_);
  }
}

// In the rows that the next unit and the next block of the answer's columns share: if any of those
// that are found is damaged, all are left out.
void FilteredScan::find_in_block() {
  FilterUnit unit = filter_.unit(next_unit_);
  unit.rows.first += block_rows_done_;
  unit.first_row += block_rows_done_;
  const uint64_t rows =
      end_of_block(unit.first_row, unit.first_row + unit.rows.rows(), columns_.block_rows()) -
      unit.first_row;
  block_rows_done_ = rows == unit.rows.rows() ? 0 : block_rows_done_ + rows;
  if (block_rows_done_ == 0) ++next_unit_;
  unit.rows.last = unit.rows.first + rows;
  block_ = {unit.first_row, unit.first_row + rows};
  if (rooms_.empty()) rooms_.emplace_back(context_);
  filter_.select(unit, rooms_[0]);
  rooms_[0].append_rows(unit, found_);
}

void FilteredScan::count_up(const RowBatch& batch) {
  QueryCounters& counters = *options_.counters;
  for (const Values& values : batch.columns) counters.bytes_kept += bytes_of(values);
  if (std::exchange(counted_columns_, true)) return;
  const auto tested = options_.where->columns();
  for (const uint64_t column : columns_.indices()) {
    if (std::binary_search(tested.begin(), tested.end(), column)) {
      filter_.mark_read(column);
    } else {
      ++counters.columns;
    }
  }
}

}  // namespace heron::inline v0
