// Options of every call that may take long: cancellation, progress, a memory limit, the number of
// threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "heron/error.h"
#include "heron/export.h"

namespace heron::inline v0 {

// All modes give the same results; they differ in the prefetch hints to the kernel.
enum class Access : uint8_t {
  Auto,  // samples whether pages are cold, and prefetches them if so
  Warm,  // all pages are in memory: prefetches nothing
  Cold,  // no page is in memory: prefetches everything
  // Like Cold; also, the pages that scans read leave memory behind them, unless they were cached
  // before. Some MB may stay: the last that were read, and prefetched ones that arrive late.
  Once,
};

// A count of work done while reading a file.
struct Counter {
  std::string name;  // "payload_bytes_decoded"
  uint64_t value = 0;
};

// A ceiling for the bytes that answers and caches hold at once. Usually one per process, shared by
// all its Contexts. Thread-safe.
class HERON_EXPORT MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t limit_bytes) noexcept : limit_(limit_bytes) {}

  // Takes `bytes` from the budget, or throws Error(Limit) and takes nothing.
  void acquire(uint64_t bytes);
  // Returns false where acquire() would throw.
  bool try_acquire(uint64_t bytes) noexcept;
  void release(uint64_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  uint64_t limit() const noexcept { return limit_; }
  uint64_t used() const noexcept { return used_.load(std::memory_order_relaxed); }

 private:
  const uint64_t limit_;
  std::atomic<uint64_t> used_{0};
};

// Cheap to copy. A default Context never stops, reports no progress, has no memory limit and uses
// one thread. What it points to must live as long as the calls it is passed to; memory taken from
// the budget keeps the budget alive.
struct Context {
  // Set it from any thread or from a signal handler: running calls end in Error(Cancelled) soon.
  const std::atomic<bool>* cancel = nullptr;
  // Called now and then, one call at a time, from a worker thread, with the work done and the
  // total, in the units of the call: rows, bytes, bits.
  std::function<void(uint64_t done, uint64_t total)> progress;
  std::shared_ptr<MemoryBudget> memory;
  // The number of threads for calls that document their use; 0: the number of cores.
  unsigned threads = 1;
  // Receives one line on what was ignored without being an error, such as an index of another file.
  // Called from any worker thread.
  std::function<void(std::string_view)> note = nullptr;

  void check_cancelled() const {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) throw_cancelled();
  }
  // One step of a long loop: throws if cancelled, else reports progress.
  void step(uint64_t done, uint64_t total) const {
    check_cancelled();
    if (progress) progress(done, total);
  }

 private:
  [[noreturn]] HERON_EXPORT static void throw_cancelled();
};

}  // namespace heron::inline v0
