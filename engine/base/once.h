// Runs work once, on the first thread that needs it.
#pragma once

#include <atomic>
#include <mutex>

namespace heron::inline v0 {

// Runs one call to completion: other threads wait for it, or find it done. If it throws, the next
// caller runs it again. Unlike std::call_once, which passes exceptions through a function of libc
// that allocates memory, and ends the process if there is none. Thread-safe.
class Once {
 public:
  template <class F>
  void run(F&& work) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::scoped_lock lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    work();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> done_ = false;
};

}  // namespace heron::inline v0
