#include "base/fail.h"
#include "heron/context.h"

namespace heron::inline v0 {

bool MemoryBudget::try_acquire(uint64_t bytes) noexcept {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {  // used <= limit_ holds always, so the difference cannot wrap
    if (bytes > limit_ - used) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

void MemoryBudget::acquire(uint64_t bytes) {
  if (try_acquire(bytes)) return;
  fail(ErrorKind::Limit, "", "memory budget of ", limit_, " bytes: ", used(), " are held and ",
       bytes, " more were requested");
}

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

void Context::throw_cancelled() {
  fail(ErrorKind::Cancelled, "", "cancelled");
}

}  // namespace heron::inline v0
