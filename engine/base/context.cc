#include "heron/context.h"

namespace heron::inline v0 {

void MemoryBudget::acquire(uint64_t bytes) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {  // used <= limit_ holds always, so the difference cannot wrap
    if (bytes > limit_ - used) {
      fail(ErrorKind::Limit, "", "memory budget of ", limit_, " bytes: ", used, " are held and ",
           bytes, " more were asked for");
    }
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
}

void Context::throw_cancelled() {
  fail(ErrorKind::Cancelled, "", "cancelled");
}

}  // namespace heron::inline v0
