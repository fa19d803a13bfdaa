#include <algorithm>

#include "heron/sampler.h"
#include "query/batch.h"

namespace heron::inline v0 {

BatchLoader::BatchLoader(Projection columns, Sampler sampler, uint64_t batch_rows, uint64_t position,
                         Context context)
    : columns_(std::move(columns)),
      sampler_(std::move(sampler)),
      batch_rows_(batch_rows),
      position_(position),
      context_(std::move(context)) {
  if (batch_rows == 0) fail(ErrorKind::Argument, {}, "a batch needs at least one row");
  draw_ahead();
  for (const Column* column : columns_.columns()) column->prefetch(ahead_);
}

// Draws the batch at position_.
void BatchLoader::draw_ahead() {
  const uint64_t left = sampler_.size() - std::min(sampler_.size(), position_);
  ahead_.resize(std::min(left, batch_rows_));
  sampler_.draw(position_, ahead_);
}

bool BatchLoader::next(RowBatch& batch) {
  std::swap(current_, ahead_);
  position_ += current_.size();
  draw_ahead();
  take_list(columns_, {current_, ahead_}, batch, context_);
  return !current_.empty();
}

}  // namespace heron::inline v0
