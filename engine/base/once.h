// What is found out at its first use, by whichever thread comes first.
#pragma once

#include <atomic>
#include <mutex>

namespace heron::inline v0 {

// Runs one call to its end: the others wait for it, or find it done. One that throws leaves the
// work to the next. Unlike std::call_once, which hands exceptions through a function of libc that
// needs memory to do so, and ends the process when there is none. Thread-safe.
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
