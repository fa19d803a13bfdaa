// Collects rows up to the memory limit, sorts and spills them; when there are too many runs to read
// at once, they are merged into one. Rows that come in order from the start are not collected: the
// source is read again.
#include "convert/sorted_rows.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert/merge.h"
#include "convert/row_picker.h"
#include "convert/sort_piece.h"
#include "convert/sort_run.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kBatchRows = 8192;
constexpr uint64_t kBatchBytes = uint64_t{4} << 20;
// A run being read takes an open file and some memory, and should yield this many rows at a time.
constexpr uint64_t kMostRuns = 128;
constexpr uint64_t kRunBytes = uint64_t{128} << 10;
constexpr uint64_t kLeastRows = 64;

std::vector<uint64_t> first_columns(uint64_t count) {
  std::vector<uint64_t> columns(count);
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  return columns;
}

uint64_t batch_rows(uint64_t row_bytes) {
  return std::clamp<uint64_t>(kBatchBytes / row_bytes, 1, kBatchRows);
}

Context without_progress(Context context) {
  context.progress = nullptr;
  return context;
}

// The source and its key.
struct Keyed {
  RowSourcePtr source;
  uint64_t key_columns;

  // Searches the source for the rows of the key.
  [[noreturn]] void fail_twice(std::string_view key, const Context& context) const {
    const auto stream = source->read(first_columns(key_columns), context);
    uint64_t first_row = 0;
    std::optional<uint64_t> found;
    SortKeys keys;
    for (RowBatch batch; stream->next(batch); first_row += batch.rows) {
      keys.assign(batch, key_columns);
      for (uint64_t row = 0; row < batch.rows; ++row) {
        if (keys[row] != key) continue;
        if (found) {
          fail(ErrorKind::Argument, source->name(), "rows ", *found, " and ", first_row + row,
               " have the same key ", key_text(source->schema(), batch, key_columns, row));
        }
        found = first_row + row;
      }
    }
    fail(ErrorKind::Changed, source->name(), "other rows came when they were read again");
  }
};

class SortedRows final : public RowSource {
 public:
  SortedRows(Keyed keyed, std::vector<SortRunPtr> runs, uint64_t memory_bytes, uint64_t row_bytes)
      : keyed_(std::move(keyed)),
        runs_(std::move(runs)),
        memory_bytes_(memory_bytes),
        row_bytes_(row_bytes) {
    for (const SortRunPtr& run : runs_) rows_ += run->rows();
  }

  const std::string& name() const noexcept override { return keyed_.source->name(); }
  const Schema& schema() const override { return keyed_.source->schema(); }
  std::string_view format() const noexcept override { return keyed_.source->format(); }
  uint64_t key_columns() const noexcept override { return keyed_.key_columns; }
  uint64_t rows() const override { return rows_; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override {
    const uint64_t rows = batch_rows(row_bytes_);
    if (runs_.size() == 1) return runs_[0]->read(columns, rows, context);
    const auto on_twice = [this, quiet = without_progress(context)](std::string_view key) {
      keyed_.fail_twice(key, quiet);
    };
    return merge(runs_, columns, rows,
                 {schema(), keyed_.key_columns, memory_bytes_, row_bytes_, on_twice}, context);
  }

 private:
  Keyed keyed_;
  std::vector<SortRunPtr> runs_;
  uint64_t memory_bytes_;  // for reading the runs
  uint64_t row_bytes_;
  uint64_t rows_ = 0;
};

class Sorter {
 public:
  Sorter(Keyed keyed, uint64_t memory_bytes, const MakeSpill& make_spill, const Context& context)
      : keyed_(std::move(keyed)),
        schema_(keyed_.source->schema()),
        columns_(first_columns(schema_.size())),
        memory_bytes_(memory_bytes),
        make_spill_(make_spill),
        context_(context),
        quiet_(without_progress(context)) {
    new_piece();
  }

  RowSourcePtr run() {
    const auto stream = keyed_.source->read(columns_, context_);
    for (RowBatch batch; stream->next(batch);) {
      if (batch.rows != 0) add(batch);
    }
    return std::make_shared<SortedRows>(keyed_, all_runs(), memory_bytes_, row_bytes_);
  }

 private:
  void new_piece() { piece_ = std::make_shared<SortPiece>(schema_); }

  void add(const RowBatch& batch) {
    SortKeys keys;
    keys.assign(batch, keyed_.key_columns);
    if (in_order_) follow(keys);
    if (in_order_ && rows_in_order_ != 0) {
      rows_in_order_ += batch.rows;
      return;
    }
    piece_->add(batch, std::move(keys));
    row_bytes_ = std::max<uint64_t>(1, piece_->bytes() / piece_->rows());
    if (piece_->bytes() < memory_bytes_) return;
    if (in_order_) {
      rows_in_order_ = piece_->rows();
      new_piece();
    } else {
      spill_piece();
    }
  }

  // Checks whether all rows are still in order.
  void follow(const SortKeys& keys) {
    const uint64_t row = keys.first_not_ascending(last_key_);
    in_order_ = row == keys.rows();
    if (in_order_) {
      last_key_ = keys[row - 1];
    } else if (keys[row] == (row == 0 ? last_key_ : keys[row - 1])) {
      keyed_.fail_twice(keys[row], quiet_);
    }
  }

  void sort_piece() {
    if (const auto twice = piece_->sort(context_)) keyed_.fail_twice(*twice, quiet_);
  }

  void spill_piece() {
    sort_piece();
    SortRunPtr run = spilled(*piece_->read(columns_, batch_rows(row_bytes_), quiet_));
    new_piece();
    add_run(0, std::move(run));
  }

  SortRunPtr spilled(RowStream& rows) const {
    const auto spill = make_spill_(*batch_schema(schema_, columns_));
    for (RowBatch batch; rows.next(batch);) spill->write(batch);
    return run_of_table(spill->finish(), schema_);
  }

  SortRunPtr merged(std::vector<SortRunPtr> runs) const {
    const SortedRows rows(keyed_, std::move(runs), memory_bytes_, row_bytes_);
    return spilled(*rows.read(columns_, quiet_));
  }

  uint64_t most_runs() const {
    return std::clamp<uint64_t>(memory_bytes_ / (kRunBytes + kLeastRows * row_bytes_), 2,
                                kMostRuns);
  }

  // Runs of a level are of similar length; merged, they become one run of the next level.
  void add_run(uint64_t level, SortRunPtr run) {
    if (level == levels_.size()) levels_.emplace_back();
    levels_[level].push_back(std::move(run));
    if (levels_[level].size() >= most_runs()) {
      add_run(level + 1, merged(std::exchange(levels_[level], {})));
    }
  }

  // At most as many runs as can be read at once.
  std::vector<SortRunPtr> all_runs() {
    if (in_order_) {
      return {run_of_source(keyed_.source, rows_in_order_ + piece_->rows())};
    }
    if (rows_in_order_ == 0 && levels_.empty()) {
      sort_piece();
      return {piece_};
    }
    if (piece_->rows() != 0) spill_piece();
    std::vector<SortRunPtr> runs;
    for (auto& level : levels_) std::move(level.begin(), level.end(), std::back_inserter(runs));
    if (rows_in_order_ != 0) runs.push_back(run_of_source(keyed_.source, rows_in_order_));
    while (runs.size() > most_runs()) {
      const auto end = runs.begin() + static_cast<std::ptrdiff_t>(
                                          std::min(most_runs(), runs.size() - most_runs() + 1));
      runs.push_back(merged({runs.begin(), end}));
      runs.erase(runs.begin(), end);
    }
    return runs;
  }

  const Keyed keyed_;
  const Schema& schema_;
  const std::vector<uint64_t> columns_;  // all of them
  const uint64_t memory_bytes_;
  const MakeSpill& make_spill_;
  const Context context_, quiet_;

  std::shared_ptr<SortPiece> piece_;
  uint64_t row_bytes_ = 1;  // average of the last sorted run
  std::vector<std::vector<SortRunPtr>> levels_;
  bool in_order_ = true;        // all rows so far
  uint64_t rows_in_order_ = 0;  // leading rows that are in no sorted run
  std::string last_key_;        // of the rows in order
};

}  // namespace

RowSourcePtr sorted_rows(const RowSourcePtr& source, uint64_t key_columns, uint64_t memory_bytes,
                         const MakeSpill& make_spill, const Context& context) {
  check_key_columns(source->name(), source->schema(), key_columns);
  return Sorter({source, key_columns}, memory_bytes, make_spill, context).run();
}

}  // namespace heron::inline v0
