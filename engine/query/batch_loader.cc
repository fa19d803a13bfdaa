#include <algorithm>

#include "heron/count.h"
#include "heron/sampler.h"
#include "heron/take.h"
#include "query/resolved_query.h"

namespace heron::inline v0 {
namespace {

// Enough that most morsels contain one of the rows, so that few are filtered twice.
constexpr uint64_t kFoundTogether = uint64_t{1} << 20;

std::optional<Selection> selection_of(const Query& query, const Context& context) {
  if (!query.where.is_set()) return std::nullopt;
  Query rows = query;
  rows.columns = {};
  return Selection(rows, context);
}

}  // namespace

BatchLoader::BatchLoader(const Query& query, const SamplerOptions& sampling, uint64_t batch_rows,
                         uint64_t position, Context context)
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

bool BatchLoader::next(RowBatch& batch) {
  const uint64_t left = sampler_.size() - std::min(sampler_.size(), position_);
  rows_.resize(std::min(left, batch_rows_));
  if (selection_) {
    find_rows(left);
  } else {
    sampler_.draw(position_, rows_);
    for (uint64_t& row : rows_) row += first_row_;
  }
  take(columns_, rows_, batch, context_);
  position_ += rows_.size();
  return !rows_.empty();
}

// Fills rows_ with the rows at position_, out of the `left` remaining ones.
void BatchLoader::find_rows(uint64_t left) {
  const uint64_t count = rows_.size();
  if (position_ < found_position_ || position_ - found_position_ + count > found_.size()) {
    std::vector<uint64_t> places(std::min(left, std::max(count, kFoundTogether)));
    sampler_.draw(position_, places);
    found_ = selection_->rows(places, context_);
    found_position_ = position_;
  }
  const auto first = found_.begin() + static_cast<ptrdiff_t>(position_ - found_position_);
  std::copy_n(first, count, rows_.begin());
}

}  // namespace heron::inline v0
