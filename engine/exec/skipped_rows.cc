#include <utility>

#include "heron/query.h"

namespace heron::inline v0 {

void SkippedRows::add(uint64_t rows, const Error& damage) {
  {
    const std::scoped_lock lock(mutex_);
    rows_ += rows;
    if (damage_.empty()) damage_ = damage.what();
  }
  if (in_a_row_.fetch_add(1, std::memory_order_relaxed) + 1 >= kMaxInARow) throw damage;
}

uint64_t SkippedRows::rows() const {
  const std::scoped_lock lock(mutex_);
  return rows_;
}

std::string SkippedRows::damage() const {
  const std::scoped_lock lock(mutex_);
  return damage_;
}

SkippedRows::Uncounted::Uncounted(SkippedRows* all) : all_(all) {
  if (all_ == nullptr) return;
  const std::scoped_lock lock(all_->mutex_);
  rows_ = all_->rows_;
  damage_ = all_->damage_;
}

SkippedRows::Uncounted::~Uncounted() {
  if (all_ == nullptr) return;
  const std::scoped_lock lock(all_->mutex_);
  all_->rows_ = rows_;
  all_->damage_ = std::move(damage_);
}

}  // namespace heron::inline v0
