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

void Context::throw_cancelled() {
  fail(ErrorKind::Cancelled, "", "cancelled");
}

}  // namespace heron::inline v0
