#include "heron/loader.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "base/fail.h"
#include "base/parallel.h"
#include "heron/error.h"
#include "heron/mapped_cells.h"
#include "heron/take.h"
#include "readahead/readahead.h"
#include "rows/batch.h"
#include "sample/chunk_pool.h"
#include "sample/epoch_impl.h"
#include "sample/kept_rows.h"
#include "sample/sliced.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

using Output = LoaderOptions::Output;

constexpr uint64_t kGrowth = 4;
constexpr uint64_t kMaxChunksAhead = 1024;
// Max rows of a chunk of a matrix, whose rows are sorted before they are read, and of a chunk of
// columns.
constexpr uint64_t kMaxRows = uint64_t{1} << 20, kMaxRowsOfColumns = uint64_t{1} << 17;
// Max bytes of a chunk whose rows are not read in sorted order: its output stays in CPU caches.
constexpr uint64_t kMaxUnsortedBytes = uint64_t{4} << 20;
constexpr uint64_t kPieces = 16;  // tasks that read all rows into memory
// Limits of prefetched pages: enough for some batches of 256 rows and ten columns.
constexpr uint64_t kBytesAhead = uint64_t{32} << 20, kMaxBatchesAhead = 64;

// Returns whether the cells of a row lie far from each other, so that reading more rows at once, in
// any order, takes less time per row.
bool are_cells_apart(const Projection& columns) {
  if (columns.size() == 0) return false;
  const std::optional<MappedCells> cells = mapped_cells(columns.table(), columns.indices()[0]);
  return !cells || cells->stride == cells->width;
}

}  // namespace

class Loader::Impl {
 public:
  Impl(const Projection& columns, EpochShard shard, LoaderOptions options, Context context)
      : columns_(columns),
        shard_(std::move(shard)),
        options_(std::move(options)),
        context_(std::move(context)),
        width_(is_matrix() ? matrix_width(columns_) : 0),
        given_(options_.first_batch),
        next_(options_.first_batch),
        pages_(
            bytes_of(columns_),
            [this](uint64_t batch, unsigned round, Prefetch& pages) {
              if (batch < given_) return;  // read already
              const RowsToRead rows{rows_coming(batch - given_), {}};
              ColumnsToRead(columns_).locate(rows, round, pages, context_);
            },
            kBytesAhead) {
    const auto require = [](bool holds, std::string_view what) {
      if (!holds) fail(ErrorKind::Argument, {}, "a loader: ", what);
    };
    if (given_ > shard_.batches()) {
      fail(ErrorKind::Argument, {}, "a loader: expected a first batch up to ", shard_.batches(),
           ", got ", given_);
    }
    require(is_matrix() || !options_.apart, "columns apart are beside a matrix");
    require(!options_.apart || options_.apart->table() == columns_.table(),
            "columns apart are of another table");
    ahead_ = std::min(options_.prefetch, kMaxChunksAhead);
    is_alone_ = ahead_ == 0 || thread_count(context_) == 1;
    pool_ = std::make_shared<ChunkPool>(ahead_ + 2);
    if (is_matrix() && order().shuffle != Shuffle::None) find_kept();
    most_ = most_batches();
    if (!is_alone_) work_.emplace(context_, 0);
  }

  bool next(LoaderBatch& batch) {
    if (!has_batches()) return end(batch);
    give(given_ + 1, batch);
    return true;
  }

  bool next_chunk(LoaderBatch& chunk, std::vector<uint64_t>& ends) {
    ends.clear();
    if (!has_batches()) return end(chunk);
    const uint64_t before = position();
    for (uint64_t i = given_ + 1; i <= chunk_->last; ++i) {
      ends.push_back(shard_.batch_end(i) - before);
    }
    give(chunk_->last, chunk);
    return true;
  }

  uint64_t batches() const noexcept { return given_; }
  uint64_t position() const noexcept { return shard_.batch_end(given_); }

  std::vector<uint64_t> rounded() const {
    const std::lock_guard lock(mutex_);
    return rounded_;
  }

 private:
  const EpochOrder::Impl& order() const noexcept { return shard_.impl_->order(); }
  bool is_matrix() const noexcept { return options_.output != Output::Columns; }
  uint64_t element_bytes() const noexcept { return options_.output == Output::Float64 ? 8 : 4; }

  // ---- what to read ----
  uint64_t most_batches() const {
    if (ahead_ == 0 || (is_alone_ && !is_matrix())) return 1;
    uint64_t most_rows = kMaxRowsOfColumns, most_bytes = options_.memory_bytes / (ahead_ + 1);
    uint64_t row_bytes = 32 * columns_.size() + 8;  // texts may be longer, numbers are shorter
    if (is_matrix()) {
      row_bytes = element_bytes() * width_ + 16;  // 16 for the row's number, to sort it
      most_rows = kMaxRows;
      const bool is_shuffled = order().shuffle != Shuffle::None;
      if (store_ != nullptr || must_fill_ || !is_shuffled || !are_cells_apart(columns_)) {
        most_bytes = std::min(most_bytes, kMaxUnsortedBytes);
      }
    }
    const uint64_t rows = std::min(most_rows, most_bytes / row_bytes);
    return std::max<uint64_t>(rows / shard_.impl_->batch_rows(), 1);
  }

  // Decides whether rows come from memory.
  void find_kept() {
    if (!options_.kept) options_.kept.emplace();
    RowStore::Content content{columns_, options_.apart, options_.output == Output::Float64,
                              order().range};
    store_ = kept().found(content);
    if (store_ != nullptr) return note_rounded(store_->rounded());
    const uint64_t others = (ahead_ + 2) * kMaxUnsortedBytes;
    must_fill_ = are_cells_apart(columns_) &&
                 kept().begin(std::move(content), shard_.rows() - position(),
                              options_.memory_bytes - std::min(options_.memory_bytes, others),
                              context_.memory);
  }
  KeptRows::Impl& kept() const noexcept { return *options_.kept->impl_; }

  // ---- handing out ----
  bool has_batches() {
    if (chunk_ != nullptr && given_ < chunk_->last) return true;
    chunk_.reset();
    chunk_ = next_read();
    return chunk_ != nullptr;
  }
  static bool end(LoaderBatch& batch) {
    batch = {};
    return false;
  }

  // Hands out the batches of the chunk from given_ up to `last`.
  void give(uint64_t last, LoaderBatch& batch) {
    const uint64_t before = shard_.batch_end(chunk_->first), start = position() - before;
    const uint64_t rows = shard_.batch_end(last) - before - start;
    const bool is_all = rows == chunk_->rows.size();
    batch.rows = std::span(chunk_->rows).subspan(start, rows);
    const auto part_of = [&](auto matrix) {
      return matrix.empty() ? matrix : matrix.subspan(start * width_, rows * width_);
    };
    batch.floats = part_of(chunk_->floats);
    batch.doubles = part_of(chunk_->doubles);
    if (is_all) {
      std::swap(batch.columns, chunk_->columns);  // the chunk reuses the memory it gets
    } else if (chunk_->columns.schema != nullptr) {
      batch.columns = sliced(chunk_->columns, {start, start + rows}, context_);
    } else {
      batch.columns = {};
    }
    batch.group_sizes.clear();
    if (order().shuffle == Shuffle::Groups) {
      batch.group_sizes = shard_.group_sizes(before + start, before + start + rows);
    }
    batch.memory = chunk_;
    given_ = last;
  }

  // ---- reading ahead ----
  // Returns the next chunk, once it is read; null at the end.
  std::shared_ptr<Chunk> next_read() {
    for (;;) {
      add_chunks();
      if (coming_.empty()) return nullptr;
      if (is_alone_ && !is_matrix()) {
        pages_.before(given_, given_ + std::min(shard_.batches() - given_, kMaxBatchesAhead));
      }
      std::shared_ptr<Chunk> chunk = std::move(coming_.front());
      coming_.pop_front();
      const uint64_t first = given_;
      if (chunk == nullptr) {
        --pieces_;
      } else {
        given_ = chunk->last;  // skips the chunk if reading it throws
      }
      is_alone_ ? read(*chunk, store_.get(), context_) : work_->take();
      given_ = first;
      if (chunk == nullptr) {
        if (pieces_ == 0) finish_filling();
      } else {
        if (!is_alone_) add_chunks();
        return chunk;
      }
    }
  }

  void add_chunks() {
    const uint64_t target = is_alone_ ? 1 : ahead_;
    while (pieces_ == 0 && coming_.size() < target && next_ < shard_.batches()) {
      must_fill_ && added_ >= ahead_ ? fill() : add_chunk();
    }
  }

  void add_chunk() {
    std::shared_ptr<Chunk> chunk = ChunkPool::take(pool_);
    chunk->rows.clear();
    chunk->first = next_;
    chunk->last = next_ += std::min(some_, shard_.batches() - next_);
    some_ = std::min(kGrowth * some_, most_);
    ++added_;
    coming_.push_back(chunk);
    if (is_alone_) return;
    work_->add({[this, to = std::move(chunk), store = store_](const Context& context) {
      read(*to, store.get(), context);
    }});
  }

  // Begins to read all rows into memory.
  void fill() {
    must_fill_ = false;
    const RowRange all = order().range;
    const auto cut = [&](uint64_t i) { return all.first + all.rows() / kPieces * i; };
    for (uint64_t i = 0; i < kPieces; ++i) {
      const RowRange some{cut(i), i + 1 == kPieces ? all.last : cut(i + 1)};
      if (is_alone_) {
        kept().fill(some, context_);
        continue;
      }
      work_->add({[this, some](const Context& context) { kept().fill(some, context); }});
      coming_.push_back(nullptr);
      ++pieces_;
    }
    if (is_alone_) finish_filling();
  }
  void finish_filling() {
    store_ = kept().finish();
    if (store_ != nullptr) note_rounded(store_->rounded());
  }

  // ---- reading ----
  void draw(Chunk& chunk) const {
    const uint64_t first = shard_.batch_end(chunk.first);
    chunk.rows.resize(shard_.batch_end(chunk.last) - first);
    shard_.draw(first, chunk.rows);
  }

  void read(Chunk& chunk, const RowStore* store, const Context& context) {
    if (chunk.rows.empty()) draw(chunk);
    switch (options_.output) {
      case Output::Float32: return read_matrix<float>(chunk, store, context);
      case Output::Float64: return read_matrix<double>(chunk, store, context);
      case Output::Columns: break;
    }
    read_rows(columns_, {chunk.rows, {}}, chunk.columns, context, is_alone_ ? &pages_ : nullptr);
  }

  template <class T>
  void read_matrix(Chunk& chunk, const RowStore* store, const Context& context) {
    const std::span<const uint64_t> rows = chunk.rows;
    if (width_ != 0 && rows.size() > UINT64_MAX / sizeof(T) / width_) {
      fail(ErrorKind::Limit, bytes_of(columns_).name(), "a batch of ", rows.size(), " x ", width_,
           " elements");
    }
    const std::span<T> out = chunk.make_matrix<T>(rows.size() * width_, context_.memory);
    const std::optional<RowRange> range = range_of(rows);
    if (store != nullptr) {
      columns_.table()->check_unchanged();
      store->take(rows, out.data(), store->has_apart() ? &chunk.columns : nullptr, context);
    } else if (range) {
      matrix<T>(columns_, *range, out, MatrixNull::NaN, context);
    } else {
      matrix<T>(columns_, rows, out, MatrixNull::NaN, context);
    }
    if constexpr (std::is_same_v<T, float>) {
      if (store == nullptr) note_rounded(rounded_columns(columns_, out));
    }
    if (!options_.apart || (store != nullptr && store->has_apart())) return;
    range ? heron::read(*options_.apart, *range, chunk.columns, context)
          : take(*options_.apart, rows, chunk.columns, context);
  }

  // Returns the range of rows that are not shuffled and are consecutive.
  std::optional<RowRange> range_of(std::span<const uint64_t> rows) const {
    if (order().shuffle != Shuffle::None || rows.empty()) return std::nullopt;
    bool ascend = true;
    for (uint64_t i = 0; i < rows.size(); ++i) ascend &= rows[i] == rows[0] + i;
    return ascend ? std::optional(RowRange{rows[0], rows[0] + rows.size()}) : std::nullopt;
  }

  void note_rounded(std::vector<uint64_t> columns) {
    if (columns.empty()) return;
    const std::lock_guard lock(mutex_);
    rounded_.insert(rounded_.end(), columns.begin(), columns.end());
    std::ranges::sort(rounded_);
    rounded_.erase(std::unique(rounded_.begin(), rounded_.end()), rounded_.end());
  }

  // Returns the rows of the batch that is `behind` batches after the next; a chunk has one batch.
  std::span<const uint64_t> rows_coming(uint64_t behind) {
    while (coming_.size() <= behind) add_chunk();
    Chunk& chunk = *coming_[behind];
    if (chunk.rows.empty()) draw(chunk);
    return chunk.rows;
  }

  const Projection columns_;
  const EpochShard shard_;
  LoaderOptions options_;
  const Context context_;
  const uint64_t width_;  // columns of the matrix
  uint64_t ahead_ = 0;    // chunks to read ahead
  bool is_alone_ = false;  // this thread reads each chunk when it is requested
  uint64_t most_ = 1;      // max batches of a chunk

  std::shared_ptr<ChunkPool> pool_;
  std::shared_ptr<Chunk> chunk_;               // chunk whose batches are handed out
  uint64_t given_;                             // batches before the next one to hand out
  std::deque<std::shared_ptr<Chunk>> coming_;  // chunks ahead; null: some of the rows to keep
  uint64_t next_;                              // first batch that is not in coming_
  uint64_t some_ = 1;                          // batches of the next chunk
  uint64_t added_ = 0;                         // chunks added to coming_
  uint64_t pieces_ = 0;                        // how many of coming_ are null
  // Prefetches batches of columns on one thread: as many as keep the device busy.
  Readahead pages_;

  std::shared_ptr<const RowStore> store_;  // kept rows to read from; null: the file
  bool must_fill_ = false;                 // call fill() after the first chunks
  mutable std::mutex mutex_;  // guards rounded_
  std::vector<uint64_t> rounded_;
  std::optional<WorkAhead> work_;  // last: destroyed before the members it uses
};

Loader::Loader(const Query& query, const EpochOptions& epoch, LoaderOptions options,
               Context context)
    : impl_(std::make_unique<Impl>(query.columns.of(query.table),
                                   EpochShard(EpochOrder(query, {}, context), epoch),
                                   std::move(options), context)) {}

Loader::Loader(const Projection& columns, EpochShard shard, LoaderOptions options, Context context)
    : impl_(std::make_unique<Impl>(columns, std::move(shard), std::move(options),
                                   std::move(context))) {}

Loader::~Loader() = default;
Loader::Loader(Loader&&) noexcept = default;
Loader& Loader::operator=(Loader&&) noexcept = default;

bool Loader::next(LoaderBatch& batch) {
  return impl_->next(batch);
}

bool Loader::next_chunk(LoaderBatch& chunk, std::vector<uint64_t>& ends) {
  return impl_->next_chunk(chunk, ends);
}

uint64_t Loader::batches() const noexcept {
  return impl_->batches();
}

uint64_t Loader::position() const noexcept {
  return impl_->position();
}

std::vector<uint64_t> Loader::rounded() const {
  return impl_->rounded();
}

}  // namespace heron::inline v0
