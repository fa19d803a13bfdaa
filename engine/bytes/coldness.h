// Decides from samples of pages whether the next reads may meet cold pages.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>

namespace heron::inline v0 {

// Prefetching a page that is in memory costs half a microsecond, as much as copying the cells of a
// small batch, so pages are prefetched only while some are cold. They count as warm until a sample,
// taken at most every 4 ms, finds a cold one; then everything is prefetched until eight samples in
// a row find all their pages in memory. Under memory pressure few pages are cold, but each of them
// costs as much as prefetching a hundred others. Thread-safe.
class Coldness {
 public:
  // Returns whether it is time for a sample. Costs some nanoseconds.
  bool may_be_cold() const noexcept {
    return warm_tick_.load(std::memory_order_relaxed) != coarse_clock();
  }
  // Records what a sample found; returns whether to prefetch.
  bool sampled(bool any_cold) noexcept {
    if (any_cold) {
      doubts_.store(kSamplesUntilWarm, std::memory_order_relaxed);
      return true;
    }
    const uint32_t doubts = doubts_.load(std::memory_order_relaxed);
    if (doubts != 0) {
      doubts_.store(doubts - 1, std::memory_order_relaxed);
      return true;
    }
    warm_tick_.store(coarse_clock(), std::memory_order_relaxed);
    return false;
  }

 private:
  static constexpr uint32_t kSamplesUntilWarm = 8;

  // Changes every 4 ms.
  static uint64_t coarse_clock() noexcept {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  }

  std::atomic<uint64_t> warm_tick_{0};  // tick of the last sample without a cold page
  std::atomic<uint32_t> doubts_{0};     // samples that still count as cold
};

}  // namespace heron::inline v0
