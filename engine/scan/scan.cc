// A scan picks in order which rows each batch has. All threads read the next batches ahead, unless
// their values are not decoded; damage is skipped when a batch is delivered.
#include "heron/scan.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/parallel.h"
#include "exec/resolved_query.h"
#include "exec/sink.h"
#include "exec/skip_damaged.h"
#include "exec/whole_read.h"
#include "heron/take.h"
#include "readahead/readahead.h"
#include "rows/batch.h"
#include "sort/ordered_batches.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// Max bytes of all batches that are read ahead.
constexpr uint64_t kAheadBytes = uint64_t{32} << 20;
constexpr uint64_t kGroupsAThread = 2;
constexpr uint64_t kBatchesAGroup = 16;

}  // namespace

// Collects the row numbers of the selection, in table order.
class RowIdSink final : public Sink {
 public:
  // The row numbers not yet taken.
  std::span<const uint64_t> ids() const noexcept { return std::span(ids_).subspan(taken_); }
  void take(uint64_t count) noexcept { taken_ += count; }

  std::unique_ptr<LocalState> local(uint64_t) const override { return std::make_unique<Local>(); }
  void consume(uint64_t, MorselReader& morsel, LocalState& local) const override {
    morsel.append_rows(static_cast<Local&>(local).ids);
  }
  void combine(uint64_t, LocalState& local) override {
    std::vector<uint64_t>& more = static_cast<Local&>(local).ids;
    ids_.erase(ids_.begin(), ids_.begin() + static_cast<ptrdiff_t>(std::exchange(taken_, 0)));
    ids_.empty() ? ids_.swap(more) : void(ids_.insert(ids_.end(), more.begin(), more.end()));
  }
  Pace pace() const override {
    return {.most_items_a_range = 1, .ranges_a_thread = 2, .bounded = true};
  }

 private:
  struct Local final : LocalState {
    std::vector<uint64_t> ids;
  };
  std::vector<uint64_t> ids_;
  uint64_t taken_ = 0;
};

// Finds the selected row numbers, on one thread at a time. The Context must outlive it.
struct SelectedIds {
  SelectedIds(const SelectedBy& selected, const Context& context)
      : input(selected, context), run(input, sink, context) {}

  const Input input;
  RowIdSink sink;
  Run run;  // its next() adds to the sink
};

class Scan::Impl {
 public:
  Impl(const Query& query, const Context& context, uint64_t batch_rows);

  bool next(RowBatch& batch);
  uint64_t first_row() const noexcept { return first_row_; }
  std::span<const uint64_t> rows() const noexcept {
    return ordered_ ? ordered_->numbers() : std::span(ids_);
  }

 private:
  struct Batch {
    RowRange rows;              // with a predicate, from the first selected row to the last
    std::vector<uint64_t> ids;  // the selected rows, with a predicate
    RowBatch values;
    bool ends_group = true;
  };

  const ByteSource& bytes() const { return bytes_of(*columns_.table()); }
  bool deliver(RowBatch& batch);
  void pick_ahead(RowBatch& spare);
  bool pick_or_fail(Batch& batch);
  bool pick(Batch& batch);
  void pick_ids(Batch& batch);
  uint64_t block_end_of(uint64_t row) const {
    return end_of_block(*columns_.table(), columns_.indices(), row, range_.last);
  }
  void skip_rest_of_block(const Batch& damaged, uint64_t block_end);
  void read_batch(Batch& batch, const Context& context) const;
  void count_up(const RowBatch& batch);

  const Projection columns_;
  Context context_;
  Context reading_;  // for rows that are not read ahead: reports progress unless finding rows does
  const uint64_t batch_rows_;
  RowRange range_;  // with a predicate, all rows; else the rows still to be picked
  uint64_t total_rows_ = 0;
  uint64_t left_;                          // selected rows left of the limit
  QueryMetrics* const metrics_;
  SkippedRows* const skipped_;  // null: damage is an error
  std::optional<OrderedBatches> ordered_;  // set for a query with an order
  std::optional<SelectedIds> selected_;    // set for a query with a predicate
  uint64_t step_rows_ = 1, steps_ = 0;     // rows of a step, steps over all rows
  Readahead pages_;                        // prefetches step by step
  uint64_t block_rows_ = 1;                // rows of the largest block
  bool is_read_ahead_ = false;
  uint64_t groups_at_once_ = 1, most_groups_ = 1, groups_ = 0;
  std::deque<Batch> picked_;  // batches not yet delivered
  std::exception_ptr pick_error_;
  uint64_t first_row_ = 0;
  std::vector<uint64_t> ids_;
  bool counted_columns_ = false;
  bool is_done_ = false;
  std::optional<WorkAhead> work_;  // reads picked_
};

Scan::Impl::Impl(const Query& query, const Context& context, uint64_t batch_rows)
    : columns_(query.columns.of(query.table)),
      context_(context),
      reading_(context),
      batch_rows_(batch_rows),
      left_(query.limit),
      metrics_(query.metrics),
      skipped_(query.skip_damaged),
      pages_(bytes(), [this](uint64_t step, unsigned round, Prefetch& pages) {
        const uint64_t first = step * step_rows_;
        const RowRange some{first, first + std::min(step_rows_, range_.last - first)};
        ColumnsToRead(columns_).locate({{}, some}, round, pages, context_);
      }) {
  const SelectedBy selected(query,
                            {.call = "a scan", .columns = true, .limit = true, .order = true});
  if (batch_rows_ == 0) fail(ErrorKind::Argument, {}, "a batch needs at least one row");
  const Table& table = *selected.table;
  range_ = selected.range;
  const bool unlimited = query.limit == Query::kNoLimit;
  if (unlimited && selected.is_whole()) check_whole_read(table, columns_.indices(), context_);
  if (!selected.where) range_.last = range_.first + std::min(range_.rows(), query.limit);
  total_rows_ = range_.rows();
  if (unlimited || !selected.where) check_stored(table, columns_.indices(), total_rows_);
  if (!query.order.empty()) {
    Query numbers = query;
    numbers.columns = Columns();
    numbers.where = selected.where;
    ordered_.emplace(columns_, numbers, context_);
    return;
  }
  const std::span<const Column* const> columns = internals(columns_).columns();
  step_rows_ = rows_of_a_step(columns);
  steps_ = range_.last / step_rows_ + (range_.last % step_rows_ != 0);
  block_rows_ = most_block_rows(columns);
  if (selected.where) {
    // Reads on one thread, because damaged rows are skipped in the order of the selected rows.
    if (skipped_ != nullptr) context_.threads = reading_.threads = 1;
    reading_.progress = nullptr;
    unless_changed(bytes(), [&] { selected_.emplace(selected, context_); });
  }
  // Consecutive rows whose values are neither decoded nor computed are read as fast as they are
  // delivered.
  const bool is_decoded =
      selected_ || block_rows_ != 1 ||
      std::ranges::any_of(columns, [](const Column* one) { return !one->inputs().empty(); });
  if (context_.threads != 1 && skipped_ == nullptr && is_decoded) {
    const uint64_t group_rows = std::max(block_rows_, std::min(batch_rows_, total_rows_));
    const uint64_t budget = context_.memory == nullptr ? UINT64_MAX : context_.memory->limit() / 8;
    const uint64_t fit = std::min(kAheadBytes, budget) / bytes_of_a_row(columns) / group_rows;
    const uint64_t threads = thread_count(context_);
    is_read_ahead_ = threads != 1 && fit > 1;
    if (is_read_ahead_) {
      most_groups_ = std::min(kGroupsAThread * threads, fit);
      groups_at_once_ = std::min(threads, most_groups_);
    }
  }
  Context of_work = reading_;
  if (!is_read_ahead_) of_work.threads = 1;
  work_.emplace(of_work);
}

// Ends the scan after an error: there are no more batches.
bool Scan::Impl::next(RowBatch& batch) {
  const bool more = !std::exchange(is_done_, true) &&
                    (ordered_ ? ordered_->next(batch_rows_, batch) : deliver(batch));
  is_done_ = !more;
  if (more) {
    if (ordered_) first_row_ = rows().front();
    return true;
  }
  ids_.clear();
  // The caller may have read from the file after it got the last batch.
  begin_batch(batch, columns_, context_);
  columns_.table()->check_unchanged();
  return false;
}

bool Scan::Impl::deliver(RowBatch& batch) {
  for (;;) {
    pick_ahead(batch);
    if (picked_.empty()) {
      if (pick_error_) std::rethrow_exception(pick_error_);
      return false;
    }
    Batch& next = picked_.front();
    first_row_ = next.rows.first;
    const uint64_t block_end =
        skipped_ == nullptr ? first_row_ : block_end_of(first_row_);
    const bool readable =
        unless_damaged(block_end - first_row_, bytes(), skipped_, [this] { work_->take(); });
    if (!readable) skip_rest_of_block(next, block_end);
    batch = std::move(next.values);
    ids_.swap(next.ids);
    groups_ -= next.ends_group;
    picked_.pop_front();
    if (!readable) continue;
    if (selected_ && metrics_ != nullptr) count_up(batch);
    return true;
  }
}

// Picks the next batches, as many as may be read ahead, in groups for a thread each: batches of the
// same blocks are a group, as threads would wait for each other's blocks. Reuses the memory of
// `spare`.
void Scan::Impl::pick_ahead(RowBatch& spare) {
  for (; groups_ < groups_at_once_ && !pick_error_; ++groups_) {
    std::vector<WorkAhead::Item> group;
    bool ends_group = false;
    while (!ends_group) {
      Batch& next = picked_.emplace_back();
      if (!pick_or_fail(next)) {
        picked_.pop_back();
        break;
      }
      next.values = std::move(spare);
      spare = RowBatch();
      ends_group = !is_read_ahead_ || group.size() + 1 == kBatchesAGroup ||
                   next.rows.first / block_rows_ != next.rows.last / block_rows_;
      next.ends_group = ends_group;
      group.emplace_back([this, &next](const Context& context) {
        read_batch(next, is_read_ahead_ ? context : reading_);
      });
    }
    if (group.empty()) break;
    picked_.back().ends_group = true;
    work_->add(std::move(group));
  }
  groups_at_once_ = std::min(2 * groups_at_once_, most_groups_);
}

// Keeps an error until the batches before it are delivered.
bool Scan::Impl::pick_or_fail(Batch& batch) {
  try {
    return pick(batch);
  } catch (...) {
    pick_error_ = std::current_exception();
    return false;
  }
}

// Picks the rows of the next batch; returns false if there are none. If damage is skipped, all lie
// in one block: in a batch over several, damage in one would lose the rows of the others.
bool Scan::Impl::pick(Batch& batch) {
  if (selected_) {
    pick_ids(batch);
    if (batch.ids.empty()) return false;
    batch.rows = {batch.ids.front(), batch.ids.back() + 1};
    return true;
  }
  if (range_.first == range_.last) return false;
  context_.step(total_rows_ - range_.rows(), total_rows_);
  batch.rows = {range_.first, range_.first + std::min(range_.rows(), batch_rows_)};
  if (skipped_ != nullptr) {
    batch.rows.last = std::min(batch.rows.last, block_end_of(batch.rows.first));
  }
  pages_.before(picked_.front().rows.first / step_rows_, steps_);  // rows before have been read
  range_.first = batch.rows.last;
  return true;
}

void Scan::Impl::pick_ids(Batch& batch) {
  RowIdSink& sink = selected_->sink;
  const uint64_t batch_rows = std::min(batch_rows_, left_);
  while (sink.ids().size() < batch_rows && !selected_->run.done()) {
    unless_changed(bytes(), [this] { selected_->run.next(); });
  }
  auto ids = sink.ids().first(std::min<uint64_t>(batch_rows, sink.ids().size()));
  if (skipped_ != nullptr && !ids.empty()) {
    const auto end = std::ranges::lower_bound(ids, block_end_of(ids.front()));
    ids = ids.first(static_cast<uint64_t>(end - ids.begin()));
  }
  batch.ids.assign(ids.begin(), ids.end());
  sink.take(ids.size());
  left_ -= ids.size();
}

void Scan::Impl::skip_rest_of_block(const Batch& damaged, uint64_t block_end) {
  if (selected_) {
    const auto ids = selected_->sink.ids();
    const auto end = std::ranges::lower_bound(ids, block_end);
    selected_->sink.take(static_cast<uint64_t>(end - ids.begin()));
    left_ += damaged.ids.size();
  } else {
    range_.first = block_end;
  }
}

void Scan::Impl::read_batch(Batch& batch, const Context& context) const {
  if (!selected_) {
    read_rows(columns_, {{}, batch.rows}, batch.values, context, &pages_);
  } else if (batch.rows.rows() == batch.ids.size()) {
    read(columns_, batch.rows, batch.values, context);
  } else {
    take(columns_, batch.ids, batch.values, context);
  }
}

void Scan::Impl::count_up(const RowBatch& batch) {
  for (const Values& values : batch.columns) metrics_->bytes_selected += bytes_of(values);
  if (!std::exchange(counted_columns_, true)) selected_->input.mark_read(columns_.indices());
}

Scan::Scan(const Query& query, const Context& context, uint64_t batch_rows)
    : impl_(std::make_unique<Impl>(extended(query), context, batch_rows)) {}
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
