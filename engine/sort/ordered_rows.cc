// Each range of morsels keeps only its first rows; they are merged in table order.
#include "sort/ordered_rows.h"

#include <algorithm>
#include <numeric>

#include "columns/column.h"
#include "exec/pool.h"
#include "exec/selected_rows.h"
#include "exec/sink.h"
#include "heron/group_by.h"
#include "rows/charge.h"
#include "rows/resolved_query.h"
#include "table/internals.h"
#include "table/whole_read.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {
namespace {

// Rows and their keys; only the first `limit` matter. One thread at a time.
class BestRows {
 public:
  BestRows(uint64_t limit, const std::shared_ptr<MemoryBudget>& memory)
      : limit_(limit), charge_(memory) {}

  void add(std::string_view key, uint64_t row) {
    if (has_worst_ && !is_before(key, row, view(worst_), worst_.row)) return;
    entries_.push_back({row, keys_.size(), key.size(), key_prefix(key, 0)});
    keys_.insert(keys_.end(), key.begin(), key.end());
    if (limit_ <= kMostPruned && entries_.size() >= 2 * limit_ + kSpare) prune();
    if (entries_.size() % kSpare == 0) charge();
  }
  void add(const BestRows& others) {
    for (const Entry& entry : others.entries_) add(others.view(entry), entry.row);
  }
  // Returns the rows in order and empties this.
  std::vector<uint64_t> take_rows() {
    std::vector<uint64_t> rows;
    for (const Entry& entry : sorted()) rows.push_back(entry.row);
    clear();
    return rows;
  }
  void spill(KeyRuns& runs) {
    for (const Entry& entry : sorted()) runs.add(view(entry), entry.row);
    runs.end_run();
    clear();
  }
  // In use, not held.
  uint64_t bytes() const noexcept { return entries_.size() * sizeof(Entry) + keys_.size(); }

 private:
  struct Entry {
    uint64_t row, start, bytes;
    uint64_t prefix;  // of the key, which decides most comparisons without going there
  };
  static constexpr uint64_t kSpare = 4096;
  static constexpr uint64_t kMostPruned = UINT64_MAX / 4;

  std::string_view view(const Entry& entry) const noexcept {
    return {keys_.data() + entry.start, entry.bytes};
  }
  static bool is_before(std::string_view a, uint64_t row_a, std::string_view b, uint64_t row_b) {
    const int compared = a.compare(b);
    return compared != 0 ? compared < 0 : row_a < row_b;
  }
  struct Order {
    const BestRows& rows;
    bool operator()(const Entry& a, const Entry& b) const {
      if (a.prefix != b.prefix) return a.prefix < b.prefix;
      return is_before(rows.view(a), a.row, rows.view(b), b.row);
    }
  };
  // Drops all but the first `limit`.
  void prune() {
    const auto last = entries_.begin() + static_cast<ptrdiff_t>(limit_);
    std::nth_element(entries_.begin(), last - (limit_ == 0 ? 0 : 1), entries_.end(), Order{*this});
    entries_.erase(last, entries_.end());
    std::vector<char> keys;
    for (Entry& entry : entries_) {
      const std::string_view key = view(entry);
      entry.start = keys.size();
      keys.insert(keys.end(), key.begin(), key.end());
    }
    keys_.swap(keys);
    if (entries_.empty()) return;
    worst_ = entries_.back();
    has_worst_ = true;
  }
  std::span<const Entry> sorted() {
    const auto last = std::min(limit_, entries_.size());
    const auto end = entries_.begin() + static_cast<ptrdiff_t>(last);
    if (end != entries_.end())
      std::nth_element(entries_.begin(), end, entries_.end(), Order{*this});
    std::sort(entries_.begin(), end, Order{*this});
    return std::span(entries_).first(last);
  }
  // Keeps the memory for reuse.
  void clear() {
    entries_.clear();
    keys_.clear();
    has_worst_ = false;
  }
  void charge() { charge_.grow_to(entries_.capacity() * sizeof(Entry) + keys_.capacity()); }

  const uint64_t limit_;
  std::vector<Entry> entries_;
  std::vector<char> keys_;
  Entry worst_{};  // of the first `limit`, once there are as many
  bool has_worst_ = false;
  Charge charge_;
};

class OrderSink final : public Sink {
 public:
  OrderSink(const Input& input, std::span<const uint64_t> columns,
            std::span<const OrderColumn> order, uint64_t limit, uint64_t key_bytes,
            const Context& context)
      : reader_(input, columns),
        order_(order),
        limit_(limit),
        memory_(context.memory),
        spill_beyond_(context.memory == nullptr ? key_bytes
                                                : std::min(key_bytes, context.memory->limit() / 4)),
        best_(limit, context.memory) {}

  std::unique_ptr<LocalState> local(uint64_t) const override {
    return std::make_unique<Local>(limit_, memory_);
  }
  std::span<const uint64_t> columns() const override { return reader_.columns(); }
  void consume(uint64_t, MorselReader& morsel, LocalState& state) const override {
    Local& local = static_cast<Local&>(state);
    local.arena.reset();
    reader_.for_each(morsel, local.arena,
                     [&](SelectedRows&& rows) { add(rows, local.best, local.keys); });
  }
  void combine(uint64_t, LocalState& state) override {
    best_.add(static_cast<Local&>(state).best);
    if (best_.bytes() <= spill_beyond_) return;
    if (runs_ == nullptr) runs_ = std::make_unique<KeyRuns>();
    best_.spill(*runs_);
  }
  Pace pace() const override {
    return {.most_items_a_range = 4, .ranges_a_thread = 2, .bounded = true};
  }

  // All rows, if they were spilled; null: take_rows() has them.
  std::unique_ptr<KeyRuns> take_runs() {
    if (runs_ != nullptr) best_.spill(*runs_);
    return std::move(runs_);
  }
  std::vector<uint64_t> take_rows() { return best_.take_rows(); }

 private:
  struct Local final : LocalState {
    Local(uint64_t limit, const std::shared_ptr<MemoryBudget>& memory)
        : arena(memory), best(limit, memory) {}
    Arena arena;
    BestRows best;
    std::vector<SortKeys> keys;
  };

  void add(const SelectedRows& rows, BestRows& best, std::vector<SortKeys>& keys) const {
    keys.resize(order_.size());
    for (uint64_t i = 0; i < order_.size(); ++i) {
      keys[i].assign({&rows.columns[i], 1}, rows.columns[i].rows);
    }
    std::string key;
    for (uint64_t k = 0; k < rows.rows.size(); ++k) {
      key.clear();
      for (uint64_t i = 0; i < order_.size(); ++i) {
        const uint64_t at = key.size();
        key += keys[i][rows.rows[k]];
        if (!order_[i].descending) continue;
        for (uint64_t c = at; c < key.size(); ++c) key[c] = static_cast<char>(~key[c]);
      }
      best.add(key, rows.first_row + rows.offsets[k]);
    }
  }

  const SelectedRowsReader reader_;
  const std::span<const OrderColumn> order_;
  const uint64_t limit_;
  const std::shared_ptr<MemoryBudget> memory_;
  const uint64_t spill_beyond_;
  BestRows best_;
  std::unique_ptr<KeyRuns> runs_;
};

}  // namespace

OrderedRows::OrderedRows(const Query& query, const Context& context, uint64_t key_bytes) {
  const SelectedBy selected(query, {.call = "ordered_rows", .limit = true, .order = true});
  const std::shared_ptr<const Table>& table = query.table;
  const std::vector<OrderColumn> order = order_columns(*table, query.order);
  std::vector<uint64_t> columns;
  for (const OrderColumn& by : order) {
    const Column& column = internals(*table).column(by.column);
    column.check_readable();
    if (!has_order(column.type())) {
      fail(ErrorKind::Argument, bytes_of(*table).name(), "column \"", column.name(),
           "\" is of type ", column.type().name(), ", which has no order");
    }
    columns.push_back(by.column);
  }
  unless_changed(bytes_of(*table), [&] {
    if (selected.is_whole()) check_whole_read(*table, columns, context);
    check_stored(*table, columns, selected.range.rows());
    const Input input(table, selected.where, selected.range, context);
    input.mark_read(columns);
    OrderSink sink(input, columns, order, query.limit, key_bytes, context);
    run(input, sink, context);
    table->check_unchanged();
    runs_ = sink.take_runs();
    if (runs_ == nullptr) rows_ = sink.take_rows();
  });
  size_ = rows_.size();
  if (runs_ == nullptr) return;
  size_ = std::min(runs_->rows(), query.limit);
  merge_.emplace(*runs_);
}

void OrderedRows::next(uint64_t count, std::vector<uint64_t>& rows) {
  rows.resize(std::min(count, size_ - given_));
  if (merge_) {
    for (uint64_t& row : rows) merge_->next(row);
  } else {
    std::copy_n(rows_.begin() + static_cast<ptrdiff_t>(given_), rows.size(), rows.begin());
  }
  given_ += rows.size();
}

std::vector<uint64_t> ordered_rows(const Query& query, const Context& context) {
  OrderedRows ordered(query, context);
  std::vector<uint64_t> rows;
  ordered.next(ordered.size(), rows);
  return rows;
}

}  // namespace heron::inline v0
