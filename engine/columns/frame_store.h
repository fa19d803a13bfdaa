// The memory that decoded blocks lie in. One range of addresses is reserved, handed out and taken
// back in runs, so that its pages are touched once and then used again: fresh memory for every
// block would cost it a page fault for every 4 KiB. What does not fit is held outside, on the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "heron/context.h"

namespace heron::inline v0 {

// One thread at a time. A frame begins at a multiple of 64 and has Arena::kSlack writable bytes
// behind it; what lies beyond is poisoned under AddressSanitizer.
class FrameStore {
 public:
  // Reserves nothing yet. The range will have `bytes`, rounded up to a page; of it the budget is
  // charged for what was ever in use, until the end.
  FrameStore(uint64_t bytes, std::shared_ptr<MemoryBudget> budget) noexcept
      : limit_bytes_(bytes), budget_(std::move(budget)) {}
  ~FrameStore();
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  // What a frame takes of the range or the heap. Throws Error(Limit) for what no machine has.
  static uint64_t run_bytes(uint64_t frame_bytes);

  // In the range; null if it has no such run free, or the budget does not have what it would grow
  // by. No frame has 0 bytes.
  std::byte* allocate(uint64_t frame_bytes);
  // On the heap. Throws Error(Limit).
  std::byte* allocate_outside(uint64_t frame_bytes);
  // Of either kind; null is none.
  void give_back(std::byte* frame, uint64_t frame_bytes) noexcept;

 private:
  struct Run {
    uint64_t offset;  // in the range
    uint64_t bytes;
  };
  // By offset and by size. Only add() allocates.
  class Runs {
   public:
    void add(const Run& run);
    void remove(const Run& run) noexcept;
    // Takes `run` out of these and puts it among `others` as another.
    void move(const Run& run, Runs& others, const Run& as) noexcept;

    std::map<uint64_t, uint64_t> by_offset;
    std::set<std::pair<uint64_t, uint64_t>> by_bytes;
  };

  void reserve();
  bool charge_up_to(uint64_t end) noexcept;

  const uint64_t limit_bytes_;
  const std::shared_ptr<MemoryBudget> budget_;
  std::byte* range_ = nullptr;  // null until the first need
  uint64_t range_bytes_ = 0;
  uint64_t charged_bytes_ = 0;  // from its start
  Runs free_;                   // no two adjacent
  Runs used_;                   // what is given back needs no memory to become free
};

}  // namespace heron::inline v0
