// Memory outside of arenas, charged to a budget.
#pragma once

#include <memory>

#include "heron/context.h"

namespace heron::inline v0 {

// The memory of one operator, released with this object. One thread at a time.
class Charge {
 public:
  explicit Charge(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}
  ~Charge() {
    if (budget_ != nullptr) budget_->release(bytes_);
  }
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  // Throws Error(Limit).
  void grow_to(uint64_t bytes) {
    if (budget_ == nullptr || bytes <= bytes_) return;
    budget_->acquire(bytes - bytes_);
    bytes_ = bytes;
  }
  bool try_grow_to(uint64_t bytes) noexcept {
    if (budget_ == nullptr || bytes <= bytes_) return true;
    if (!budget_->try_acquire(bytes - bytes_)) return false;
    bytes_ = bytes;
    return true;
  }
  // The limit of the budget; UINT64_MAX without one.
  uint64_t limit() const noexcept { return budget_ == nullptr ? UINT64_MAX : budget_->limit(); }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  uint64_t bytes_ = 0;
};

}  // namespace heron::inline v0
