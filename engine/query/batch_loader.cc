#include <algorithm>

#include "heron/sampler.h"

namespace heron::inline v0 {

BatchLoader::BatchLoader(Projection columns, Sampler sampler, uint64_t batch_rows,
                         uint64_t position, Context context)
    : columns_(std::move(columns)),
      sampler_(sampler),
      batch_rows_(batch_rows),
      position_(position),
      context_(std::move(context)) {
  if (batch_rows == 0) fail(ErrorKind::Argument, {}, "a batch needs at least one row");
}

bool BatchLoader::next(RowBatch& batch) {
  const uint64_t left = sampler_.size() - std::min(sampler_.size(), position_);
  rows_.resize(std::min(left, batch_rows_));
  sampler_.draw(position_, rows_);
  take(columns_, rows_, batch, context_);
  position_ += rows_.size();
  return !rows_.empty();
}

}  // namespace heron::inline v0
