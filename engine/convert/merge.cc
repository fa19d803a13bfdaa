#include "convert/merge.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "convert/row_picker.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {
namespace {

// A batch of a run, with the keys of its rows.
struct KeyedBatch {
  static constexpr uint32_t kNone = UINT32_MAX;

  RowBatch rows;
  SortKeys keys;
  uint32_t source = kNone;  // its number in the picker
};
using KeyedBatchPtr = std::unique_ptr<KeyedBatch>;

// The position in a run.
class Cursor {
 public:
  Cursor(std::unique_ptr<RowStream> stream, uint64_t rows)
      : stream_(std::move(stream)), left_(rows) {}

  // Continues with the next rows, which it loads into the batch; ended() if there are none.
  void load(KeyedBatchPtr batch, uint64_t key_columns) {
    batch_ = std::move(batch);
    batch_->source = KeyedBatch::kNone;
    row_ = 0;
    end_ = 0;
    while (end_ == 0 && left_ != 0 && stream_->next(batch_->rows)) {
      end_ = std::min(batch_->rows.rows, left_);
    }
    left_ -= end_;
    if (end_ == 0) return;
    batch_->keys.assign(batch_->rows, key_columns);
    set_key();
  }
  // To the next row; false at the end of the batch.
  bool advance() {
    if (++row_ == end_) return false;
    set_key();
    return true;
  }
  KeyedBatchPtr release() { return std::move(batch_); }

  bool ended() const noexcept { return end_ == 0; }
  KeyedBatch& batch() noexcept { return *batch_; }
  uint32_t row() const noexcept { return static_cast<uint32_t>(row_); }
  std::string_view key() const noexcept { return key_; }
  bool below(const Cursor& other) const noexcept {
    if (ended() || other.ended()) return other.ended();
    return prefix_ != other.prefix_ ? prefix_ < other.prefix_ : key_ < other.key_;
  }

 private:
  void set_key() {
    key_ = batch_->keys[row_];
    prefix_ = key_prefix(key_, 0);
  }

  std::unique_ptr<RowStream> stream_;
  uint64_t left_;  // rows of the run after the batch
  KeyedBatchPtr batch_;
  uint64_t row_ = 0;
  uint64_t end_ = 0;  // end of the run's rows in the batch
  uint64_t prefix_ = 0;
  std::string_view key_;
};

// Finds the lowest key: each inner node stores its loser, so a cursor that advances plays only
// against those on its path to the root.
class Tournament {
 public:
  explicit Tournament(std::vector<Cursor>& cursors)
      : cursors_(cursors), losers_(cursors.size()), winner_(play(1)) {}

  Cursor& winner() noexcept { return cursors_[winner_]; }
  void replay() noexcept {
    for (uint64_t node = (winner_ + losers_.size()) / 2; node != 0; node /= 2) {
      if (cursors_[losers_[node]].below(cursors_[winner_])) std::swap(losers_[node], winner_);
    }
  }

 private:
  // Leaves follow the inner nodes. Returns the winner below the node.
  uint64_t play(uint64_t node) {
    if (node >= losers_.size()) return node - losers_.size();
    const uint64_t left = play(2 * node);
    const uint64_t right = play(2 * node + 1);
    const bool right_wins = cursors_[right].below(cursors_[left]);
    losers_[node] = right_wins ? left : right;
    return right_wins ? right : left;
  }

  std::vector<Cursor>& cursors_;
  std::vector<uint64_t> losers_;  // 0 is not used
  uint64_t winner_;
};

class MergeStream final : public RowStream {
 public:
  MergeStream(std::vector<Cursor> cursors, RowPicker picker, uint64_t rows, uint64_t batch_rows,
              const MergeOptions& options, const Context& context)
      : cursors_(std::move(cursors)),
        picker_(std::move(picker)),
        total_rows_(rows),
        batch_rows_(batch_rows),
        key_columns_(options.key_columns),
        on_twice_(options.on_twice),
        context_(context) {
    for (Cursor& cursor : cursors_) cursor.load(std::make_unique<KeyedBatch>(), key_columns_);
    tournament_.emplace(cursors_);
  }

  bool next(RowBatch& batch) override {
    context_.step(done_rows_, total_rows_);
    rows_.clear();
    while (rows_.size() < batch_rows_ && !tournament_->winner().ended()) take_lowest();
    picker_.pick(rows_, batch);
    done_rows_ += rows_.size();
    forget_sources();
    return !rows_.empty();
  }

 private:
  void take_lowest() {
    Cursor& lowest = tournament_->winner();
    if (lowest.key() == last_key_) on_twice_(last_key_);
    last_key_ = lowest.key();
    KeyedBatch& from = lowest.batch();
    if (from.source == KeyedBatch::kNone) {
      from.source = picker_.add_source(from.rows);
      in_use_.push_back(&from);
    }
    rows_.push_back({from.source, lowest.row()});
    if (!lowest.advance()) {
      used_up_.push_back(lowest.release());
      lowest.load(unused_batch(), key_columns_);
    }
    tournament_->replay();
  }

  KeyedBatchPtr unused_batch() {
    if (unused_.empty()) return std::make_unique<KeyedBatch>();
    KeyedBatchPtr batch = std::move(unused_.back());
    unused_.pop_back();
    return batch;
  }

  // Releases the batches that rows were picked from.
  void forget_sources() {
    last_key_copy_ = last_key_;
    last_key_ = last_key_copy_;
    for (KeyedBatch* batch : in_use_) batch->source = KeyedBatch::kNone;
    in_use_.clear();
    picker_.forget_sources();
    std::move(used_up_.begin(), used_up_.end(), std::back_inserter(unused_));
    used_up_.clear();
  }

  std::vector<Cursor> cursors_;
  std::optional<Tournament> tournament_;
  RowPicker picker_;
  std::vector<PieceRow> rows_;          // of the next batch
  std::vector<KeyedBatch*> in_use_;     // batches that have rows of it
  std::vector<KeyedBatchPtr> used_up_;  // the same, without further rows
  std::vector<KeyedBatchPtr> unused_;
  std::string_view last_key_;
  std::string last_key_copy_;
  uint64_t done_rows_ = 0;
  const uint64_t total_rows_;
  const uint64_t batch_rows_;
  const uint64_t key_columns_;
  const std::function<void(std::string_view)> on_twice_;
  const Context context_;
};

// The key columns and the others wanted; `places` is the index of each wanted one among them.
std::vector<uint64_t> add_key(uint64_t key_columns, std::span<const uint64_t> wanted,
                              std::vector<uint64_t>& places) {
  std::vector<uint64_t> columns(key_columns);
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  for (const uint64_t column : wanted) {
    places.push_back(column < key_columns ? column : columns.size());
    if (column >= key_columns) columns.push_back(column);
  }
  return columns;
}

}  // namespace

std::unique_ptr<RowStream> merge(std::span<const SortRunPtr> runs,
                                 std::span<const uint64_t> columns, uint64_t batch_rows,
                                 const MergeOptions& options, const Context& context) {
  Context quiet = context;
  quiet.progress = nullptr;
  std::vector<uint64_t> places;
  const std::vector<uint64_t> read = add_key(options.key_columns, columns, places);
  const uint64_t most_rows = options.memory_bytes / runs.size() / options.row_bytes;
  uint64_t rows = 0;
  std::vector<Cursor> cursors;
  cursors.reserve(runs.size());
  for (const SortRunPtr& run : runs) {
    cursors.emplace_back(run->read(read, std::clamp<uint64_t>(most_rows, 1, batch_rows), quiet),
                         run->rows());
    rows += run->rows();
  }
  RowPicker picker(batch_schema(options.schema, columns), std::move(places), context.memory);
  return std::make_unique<MergeStream>(std::move(cursors), std::move(picker), rows, batch_rows,
                                       options, context);
}

}  // namespace heron::inline v0
