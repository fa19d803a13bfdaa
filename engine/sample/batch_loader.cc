#include <algorithm>
#include <deque>
#include <optional>

#include "heron/error.h"
#include "heron/sampler.h"
#include "heron/take.h"
#include "readahead/readahead.h"
#include "rows/batch.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// Pages of batches to come: of some with 256 rows of ten columns.
constexpr uint64_t kBytesAhead = uint64_t{32} << 20;
constexpr uint64_t kMostBatches = 64;

EpochShard shard_from(const Query& query, const SamplerOptions& sampling, uint64_t batch_rows,
                      uint64_t position, const Context& context) {
  const EpochOrder order(query, {}, context);
  EpochOptions options{.sampler = sampling, .batch_rows = batch_rows};
  if (const uint64_t rows = EpochShard(order, options).rows(); position > rows) {
    fail(ErrorKind::Argument, {}, "a batch loader: expected a position up to ", rows, ", got ",
         position);
  }
  options.before.push_back({.world = sampling.world, .batches = position});
  return EpochShard(order, options);
}

}  // namespace

class BatchLoader::Impl {
 public:
  Impl(Projection columns, EpochShard shard, uint64_t before, Context context)
      : columns_(std::move(columns)),
        context_(std::move(context)),
        shard_(std::move(shard)),
        before_(before),
        ahead_(
            bytes_of(columns_), context_.metrics,
            [this](uint64_t number, unsigned round, Prefetch& pages) {
              if (number < number_) return;  // read already
              ColumnsToRead(columns_).locate({drawn(number - number_), {}}, round, pages, context_);
            },
            kBytesAhead) {}

  bool next(RowBatch& batch) {
    ahead_.before(number_, number_ + std::min(shard_.batches() - number_, kMostBatches));
    if (drawn_.empty()) {
      draw(number_, rows_);
    } else {
      rows_ = drawn_.front();
    }
    read_rows(columns_, {rows_, {}}, batch, context_, &ahead_);
    if (!drawn_.empty()) drawn_.pop_front();
    if (rows_.empty()) return false;
    ++number_;
    return true;
  }

  std::span<const uint64_t> rows() const noexcept { return rows_; }
  uint64_t position() const noexcept { return before_ + shard_.batch_end(number_); }

 private:
  // The rows of a batch.
  void draw(uint64_t number, std::vector<uint64_t>& rows) const {
    const uint64_t first = shard_.batch_end(number);
    rows.resize(number < shard_.batches() ? shard_.batch_end(number + 1) - first : 0);
    shard_.draw(first, rows);
  }

  // The rows of the batch that is that many behind the next.
  std::span<const uint64_t> drawn(uint64_t behind) {
    while (drawn_.size() <= behind) {
      std::vector<uint64_t> rows;
      draw(number_ + drawn_.size(), rows);
      drawn_.push_back(std::move(rows));
    }
    return drawn_[behind];
  }

  const Projection columns_;
  const Context context_;
  const EpochShard shard_;
  const uint64_t before_;  // the position at which the shard begins
  std::vector<uint64_t> rows_;
  uint64_t number_ = 0;                      // of the batch that next() returns next
  std::deque<std::vector<uint64_t>> drawn_;  // rows of it and of later batches, if they are cold
  Readahead ahead_;
};

BatchLoader::BatchLoader(const Query& query, const SamplerOptions& sampling, uint64_t batch_rows,
                         uint64_t position, Context context)
    : impl_(std::make_unique<Impl>(query.columns.of(query.table),
                                   shard_from(query, sampling, batch_rows, position, context),
                                   position, context)) {}

BatchLoader::BatchLoader(const Projection& columns, EpochShard shard, Context context)
    : impl_(std::make_unique<Impl>(columns, std::move(shard), 0, std::move(context))) {}

BatchLoader::~BatchLoader() = default;
BatchLoader::BatchLoader(BatchLoader&&) noexcept = default;
BatchLoader& BatchLoader::operator=(BatchLoader&&) noexcept = default;

bool BatchLoader::next(RowBatch& batch) {
  return impl_->next(batch);
}

std::span<const uint64_t> BatchLoader::rows() const noexcept {
  return impl_->rows();
}

uint64_t BatchLoader::position() const noexcept {
  return impl_->position();
}

}  // namespace heron::inline v0
