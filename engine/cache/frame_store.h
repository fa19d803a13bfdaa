// The memory of decoded blocks. Reserves one range of addresses and allocates runs of it, so that
// its pages are reused: fresh memory for every block would cost a page fault per 4 KiB. Blocks that
// do not fit are on the heap, outside the range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "heron/context.h"

namespace heron::inline v0 {

// One thread at a time. A frame begins at a multiple of 64 and is followed by Arena::kSlack
// writable bytes; memory beyond is poisoned under AddressSanitizer.
class FrameStore {
 public:
  // Reserves nothing yet. The range has `bytes`, rounded up to a page; every part of it once used
  // stays charged to the budget until the end.
  FrameStore(uint64_t bytes, std::shared_ptr<MemoryBudget> budget) noexcept
      : limit_bytes_(bytes), budget_(std::move(budget)) {}
  ~FrameStore();
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  // The bytes of a frame in the range or heap. Throws Error(Limit) for impossible sizes.
  static uint64_t run_bytes(uint64_t frame_bytes);

  // Allocates in the range; null if no such run is free, or the budget does not allow it to grow.
  // frame_bytes is not 0.
  std::byte* allocate(uint64_t frame_bytes);
  // Allocates on the heap. Throws Error(Limit).
  std::byte* allocate_outside(uint64_t frame_bytes);
  // Frees a frame of either kind; null is allowed.
  void give_back(std::byte* frame, uint64_t frame_bytes) noexcept;

 private:
  struct Run {
    uint64_t offset;  // from the start of the range
    uint64_t bytes;
  };
  // Runs by offset and by size. Only add() allocates.
  class Runs {
   public:
    void add(const Run& run);
    void remove(const Run& run) noexcept;
    // Removes `run` from this set and adds it to `others` as `as`.
    void move(const Run& run, Runs& others, const Run& as) noexcept;

    std::map<uint64_t, uint64_t> by_offset;
    std::set<std::pair<uint64_t, uint64_t>> by_bytes;
  };

  void reserve();
  bool charge_up_to(uint64_t end) noexcept;

  const uint64_t limit_bytes_;
  const std::shared_ptr<MemoryBudget> budget_;
  std::byte* range_ = nullptr;  // null until first used
  uint64_t range_bytes_ = 0;
  uint64_t charged_bytes_ = 0;  // charged bytes, from the start of the range
  Runs free_;                   // free runs, no two adjacent
  Runs used_;                   // runs in use; freeing one allocates no memory
};

}  // namespace heron::inline v0
