#include "base/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

namespace heron::inline v0 {
namespace {

class Run {
 public:
  Run(uint64_t count, const Context& context) : count_(count), context_(context), inner_(context) {
    inner_.threads = 1;
    inner_.progress = nullptr;
  }

  void work_on(uint64_t i, const std::function<void(uint64_t, const Context&)>& work) {
    if (i > failed_.load(std::memory_order_relaxed)) return;
    try {
      inner_.check_cancelled();
      work(i, inner_);
      std::lock_guard lock(mutex_);
      if (context_.progress) context_.progress(++done_, count_);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (i >= failed_.load(std::memory_order_relaxed)) return;
      failed_.store(i, std::memory_order_relaxed);
      error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  const uint64_t count_;
  const Context& context_;
  Context inner_;
  std::mutex mutex_;  // of what follows; of failed_ for writing
  uint64_t done_ = 0;
  std::atomic<uint64_t> failed_{UINT64_MAX};
  std::exception_ptr error_;
};

}  // namespace

void parallel_for(uint64_t count, const Context& context,
                  const std::function<void(uint64_t i, const Context& context)>& work) {
  Run run(count, context);
  if (context.threads == 1 || count < 2) {
    for (uint64_t i = 0; i < count; ++i) run.work_on(i, work);
  } else {
    const int threads = context.threads == 0 ? tbb::task_arena::automatic
                                             : static_cast<int>(std::min(context.threads, 1024u));
    tbb::task_arena arena(threads);
    arena.execute(
        [&] { tbb::parallel_for(uint64_t{0}, count, [&](uint64_t i) { run.work_on(i, work); }); });
  }
  run.rethrow();
}

}  // namespace heron::inline v0
