#include <algorithm>
#include <deque>
#include <optional>

#include "heron/count.h"
#include "heron/sampler.h"
#include "heron/selection.h"
#include "heron/take.h"
#include "readahead/read_ahead.h"
#include "rows/batch.h"
#include "rows/resolved_query.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// Enough that most morsels contain one of the rows, so that few are filtered twice.
constexpr uint64_t kFoundTogether = uint64_t{1} << 20;

// Pages of batches to come: of some with 256 rows of ten columns.
constexpr uint64_t kBytesAhead = uint64_t{32} << 20;
constexpr uint64_t kMostBatches = 64;

std::optional<Selection> selection_of(const Query& query, const Context& context) {
  if (!query.where.is_set()) return std::nullopt;
  Query rows = query;
  rows.columns = Columns();
  return Selection(rows, context);
}

}  // namespace

class BatchLoader::Impl {
 public:
  Impl(const Query& query, const SamplerOptions& sampling, uint64_t batch_rows, uint64_t position,
       Context context)
      : columns_(query.columns.of(query.table)),
        context_(std::move(context)),
        selection_(selection_of(query, context_)),
        sampler_(selection_ ? selection_->size()
                            : query.range.value_or(RowRange{0, query.table->rows()}).rows(),
                 sampling),
        batch_rows_(batch_rows),
        position_(position) {
    check_use(query, {.call = "a batch loader", .columns = true});
    if (query.range && !selection_) first_row_ = query.range->first;
    if (batch_rows == 0) fail(ErrorKind::Argument, {}, "a batch needs at least one row");
  }

  bool next(RowBatch& batch) {
    const ByteSource& bytes = bytes_of(*columns_.table());
    if (bytes.can_prefetch()) unless_changed(bytes, [&] { ask_ahead(bytes); });
    if (drawn_.empty()) {
      draw(position_, rows_);
    } else {
      rows_ = drawn_.front();
    }
    take_drawn(bytes, batch);
    if (!drawn_.empty()) drawn_.pop_front();
    position_ += rows_.size();
    ++number_;
    return !rows_.empty();
  }

  std::span<const uint64_t> rows() const noexcept { return rows_; }
  uint64_t position() const noexcept { return position_; }

 private:
  // The rows of the batch at a position.
  void draw(uint64_t position, std::vector<uint64_t>& rows) {
    const uint64_t left = sampler_.size() - std::min(sampler_.size(), position);
    rows.resize(std::min(left, batch_rows_));
    if (selection_) return find_rows(position, left, rows);
    sampler_.draw(position, rows);
    for (uint64_t& row : rows) row += first_row_;
  }

  void find_rows(uint64_t position, uint64_t left, std::vector<uint64_t>& rows) {
    const uint64_t count = rows.size();
    if (position < found_position_ || position - found_position_ + count > found_.size()) {
      std::vector<uint64_t> places(std::min(left, std::max(count, kFoundTogether)));
      sampler_.draw(position, places);
      found_ = selection_->rows(places, context_);
      found_position_ = position;
    }
    const auto first = found_.begin() + static_cast<ptrdiff_t>(position - found_position_);
    std::copy_n(first, count, rows.begin());
  }

  void take_drawn(const ByteSource& bytes, RowBatch& batch) const {
    std::optional<ScatteredReads> scattered;
    if (ahead_.is_cold()) scattered.emplace(bytes);
    take_asked(columns_, rows_, batch, context_);
  }

  // Asks for the pages of the next batches, as many as keep the device busy.
  void ask_ahead(const ByteSource& bytes) {
    const uint64_t left = sampler_.size() - std::min(sampler_.size(), position_);
    const uint64_t batches = left / batch_rows_ + (left % batch_rows_ != 0);
    ahead_.reach(number_, number_ + std::min(batches, kMostBatches), bytes, context_,
                 [this](uint64_t number, unsigned round, Prefetch& pages) {
                   if (number < number_) return;  // read already
                   const RowsToRead rows{drawn(number - number_), {}};
                   const RowLayout* layout = row_layout(columns_);
                   if (layout == nullptr) {
                     for (const Column* column : internals(columns_).columns()) {
                       column->locate(rows, round, pages, context_);
                     }
                   } else if (round == 0) {
                     locate_rows(*layout, columns_.indices(), rows, pages);
                   }
                 });
  }
  // The rows of the batch that is that many behind the next.
  std::span<const uint64_t> drawn(uint64_t behind) {
    while (drawn_.size() <= behind) {
      std::vector<uint64_t> rows;
      draw(position_ + drawn_.size() * batch_rows_, rows);
      drawn_.push_back(std::move(rows));
    }
    return drawn_[behind];
  }

  const Projection columns_;
  const Context context_;
  uint64_t first_row_ = 0;                    // of the query's range
  const std::optional<Selection> selection_;  // with a predicate
  const Sampler sampler_;
  const uint64_t batch_rows_;
  uint64_t position_;  // of the batch that next() returns next
  std::vector<uint64_t> rows_;
  uint64_t number_ = 0;                      // of that batch
  std::deque<std::vector<uint64_t>> drawn_;  // rows of it and of later batches, if they are cold
  ReadAhead ahead_{kBytesAhead};
  // With a predicate: rows found together, from a position on.
  uint64_t found_position_ = 0;
  std::vector<uint64_t> found_;
};

BatchLoader::BatchLoader(const Query& query, const SamplerOptions& sampling, uint64_t batch_rows,
                         uint64_t position, Context context)
    : impl_(std::make_unique<Impl>(query, sampling, batch_rows, position, std::move(context))) {}

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
