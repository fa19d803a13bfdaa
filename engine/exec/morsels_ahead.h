// Reads the next morsels ahead for all threads of a query.
#pragma once

#include <atomic>
#include <list>
#include <mutex>

#include "readahead/read_ahead.h"

namespace heron::inline v0 {

// Thread-safe. Threads walk through neighbouring morsels or through distant ranges of them: every
// range has a window of its own.
class MorselsAhead {
 public:
  // As ReadAhead::reach(), but not while another thread asks. Returns whether items were cold of
  // late: of the first item of a range, the window of the range before may have asked.
  template <class Locate>
  bool reach(uint64_t item, uint64_t end, const ByteSource& source, const Context& context,
             Locate locate) {
    if (!source.can_prefetch()) return false;
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock) {
      ReadAhead& range = range_of(item);
      range.reach(item, end, source, context, locate);
      if (range.is_cold()) {
        cold_items_.store(kRemembered, std::memory_order_relaxed);
      } else if (const uint32_t left = cold_items_.load(std::memory_order_relaxed); left != 0) {
        cold_items_.store(left - 1, std::memory_order_relaxed);
      }
    }
    return cold_items_.load(std::memory_order_relaxed) != 0;
  }

 private:
  static constexpr uint64_t kMostRanges = 64;
  static constexpr uint32_t kRemembered = 64;

  ReadAhead& range_of(uint64_t item) {
    for (ReadAhead& range : ranges_) {
      if (range.is_near(item)) return range;
    }
    if (ranges_.size() == kMostRanges) ranges_.pop_front();
    return ranges_.emplace_back();
  }

  std::mutex mutex_;
  std::list<ReadAhead> ranges_;
  std::atomic<uint32_t> cold_items_{0};
};

}  // namespace heron::inline v0
