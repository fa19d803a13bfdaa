#include "scan/filtered_scan.h"

#include <algorithm>

#include "heron/take.h"
#include "rows/batch.h"
#include "table/internals.h"
#include "table/skip_damaged.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kBatchesAThread = 2;

// Damaged rows are left out block by block, on one thread.
Context context_of_run(const Context& context) {
  Context run = context;
  if (context.skip_damaged != nullptr) run.threads = 1;
  return run;
}

struct LocalRows final : LocalState {
  std::vector<RowIdSink::Found> found;
};

bool are_neighbours(const std::vector<uint64_t>& rows) {
  return rows.back() - rows.front() == rows.size() - 1;
}

}  // namespace

std::unique_ptr<LocalState> RowIdSink::local(uint64_t) const {
  return std::make_unique<LocalRows>();
}

void RowIdSink::consume(uint64_t, MorselReader& morsel, LocalState& local) const {
  std::vector<Found>& found = static_cast<LocalRows&>(local).found;
  if (!by_block_) {
    if (found.empty()) found.emplace_back();
    morsel.append_rows(found.back().ids);
    return;
  }
  const uint64_t first = morsel.morsel().first_row, in_fragment = morsel.morsel().rows.first;
  for_blocks({first, first + morsel.morsel().rows.rows()}, block_rows_, [&](RowRange rows) {
    Found block{rows, {}};
    morsel.part({rows.first - first + in_fragment, rows.last - first + in_fragment})
        .append_rows(block.ids);
    if (!block.ids.empty()) found.push_back(std::move(block));
  });
}

void RowIdSink::combine(uint64_t, LocalState& local) {
  for (Found& found : static_cast<LocalRows&>(local).found) found_.push_back(std::move(found));
}

FilteredScan::FilteredScan(Projection columns, const SelectedBy& selected, uint64_t limit,
                           uint64_t batch_rows, const Context& context)
    : columns_(std::move(columns)),
      batch_rows_(batch_rows),
      context_(context_of_run(context)),
      input_(selected.table, selected.where, selected.range, context),
      sink_(columns_.block_rows(), context.skip_damaged != nullptr),
      run_(input_, sink_, context_),
      threads_(thread_count(context_)),
      left_(limit),
      batches_at_once_(threads_) {}

bool FilteredScan::next(RowBatch& batch) {
  if (ready_.next == ready_.count) {
    threads_ > 1 ? fetch_ahead() : prepare();
    if (ready_.count == 0) return false;
  }
  Ready& ready = ready_.all[ready_.next++];
  std::swap(batch, ready.batch);
  std::swap(rows_, ready.rows);
  if (context_.metrics != nullptr) count_up(batch);
  return true;
}

// On one thread, which may leave out damage.
void FilteredScan::prepare() {
  while (fill(ready_)) {
    // From the first of the rows to the end of the block.
    const uint64_t rows = block_.last - ready_.all.front().rows.front();
    const bool readable = unless_damaged(rows, bytes_of(*columns_.table()), context_,
                                         [this] { fetch(ready_.all.front(), context_); });
    if (readable) return;
    left_ += ready_.all.front().rows.size();
    found_.clear();
    taken_ = 0;
  }
}

// One batch per thread at first, and none ahead: the caller may want no more.
void FilteredScan::fetch_ahead() {
  const auto start = [this] {
    work_.start(ahead_.count, context_, [this](uint64_t i, const Context& one_thread) {
      fetch(ahead_.all[i], one_thread);
    });
  };
  if (windows_++ < 2 && fill(ahead_)) start();
  ready_.count = ready_.next = 0;
  const uint64_t count = std::exchange(ahead_.count, 0);
  work_.join();
  std::swap(ready_, ahead_);
  ready_.count = count;
  batches_at_once_ = std::min(2 * batches_at_once_, kBatchesAThread * threads_);
  if (windows_ > 1 && fill(ahead_)) start();
}

// Fills in the rows of the next batches; false if there are none.
bool FilteredScan::fill(Window& window) {
  window.count = window.next = 0;
  find_rows(std::min(left_, batch_rows_ * batches_at_once_));
  while (rows_found() != 0 && left_ != 0 && window.count < batches_at_once_) {
    const uint64_t count = std::min({rows_found(), batch_rows_, left_});
    if (window.all.size() == window.count) window.all.emplace_back();
    const auto first = found_.begin() + static_cast<ptrdiff_t>(taken_);
    window.all[window.count++].rows.assign(first, first + static_cast<ptrdiff_t>(count));
    taken_ += count;
    left_ -= count;
  }
  return window.count != 0;
}

void FilteredScan::fetch(Ready& ready, const Context& context) const {
  // Only finding rows reports progress.
  Context quiet = context;
  quiet.progress = nullptr;
  if (are_neighbours(ready.rows)) {
    read(columns_, {ready.rows.front(), ready.rows.back() + 1}, ready.batch, quiet);
  } else {
    take(columns_, ready.rows, ready.batch, quiet);
  }
}

// Finds at least this many rows, unless there are fewer; if damage is left out, those of the next
// block.
void FilteredScan::find_rows(uint64_t wanted) {
  if (rows_found() == 0 || taken_ > found_.size() / 2) {
    found_.erase(found_.begin(), found_.begin() + static_cast<ptrdiff_t>(taken_));
    taken_ = 0;
  }
  const bool by_block = context_.skip_damaged != nullptr;
  std::deque<RowIdSink::Found>& found = sink_.found();
  while (rows_found() < (by_block ? 1 : wanted)) {
    if (found.empty()) {
      if (run_.done()) return;
      run_.next();
      continue;
    }
    block_ = found.front().rows;
    std::vector<uint64_t>& ids = found.front().ids;
    if (found_.empty()) {
      found_.swap(ids);
    } else {
      found_.insert(found_.end(), ids.begin(), ids.end());
    }
    found.pop_front();
  }
}

void FilteredScan::count_up(const RowBatch& batch) {
  QueryMetrics& metrics = *context_.metrics;
  for (const Values& values : batch.columns) metrics.bytes_selected += bytes_of(values);
  if (std::exchange(counted_columns_, true)) return;
  input_.mark_read(columns_.indices());
}

}  // namespace heron::inline v0
