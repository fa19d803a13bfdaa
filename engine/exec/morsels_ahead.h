// Reads the next morsels ahead for all threads of a query.
#pragma once

#include <atomic>
#include <list>
#include <mutex>

#include "dataset/read_ahead.h"

namespace heron::inline v0 {

// Thread-safe. Threads walk through neighbouring morsels or through distant ranges of them: every
// range has a window of its own.
class MorselsAhead {
 public:
  // As ReadAhead::reach(), and returns its is_cold(). While another thread asks, only returns what
  // that was last.
  template <class Locate>
  bool reach(uint64_t item, uint64_t end, const ByteSource& source, const Context& context,
             Locate locate) {
    if (!source.can_prefetch()) return false;
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock) {
      ReadAhead& range = range_of(item);
      range.reach(item, end, source, context, locate);
      is_cold_.store(range.is_cold(), std::memory_order_relaxed);
    }
    return is_cold_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr uint64_t kMostRanges = 64;

  ReadAhead& range_of(uint64_t item) {
    for (ReadAhead& range : ranges_) {
      if (range.is_near(item)) return range;
    }
    if (ranges_.size() == kMostRanges) ranges_.pop_front();
    return ranges_.emplace_back();
  }

  std::mutex mutex_;
  std::list<ReadAhead> ranges_;
  std::atomic<bool> is_cold_{false};
};

}  // namespace heron::inline v0
