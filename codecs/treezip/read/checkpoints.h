// Checkpoints: the bits before every block of a payload, kept when it was decoded in order, so that
// decoding can restart there.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <span>

#include "base/arena.h"

namespace heron::inline v0::treezip {

// Blocks count from 0; the first needs no checkpoint. Reads take no lock: checkpoints never move,
// because pages of doubling size are added.
class Checkpoints {
 public:
  // Keeps the last `kept_bytes` > 0 of each of `blocks` blocks, charged to the budget.
  Checkpoints(uint64_t blocks, unsigned kept_bytes, std::shared_ptr<MemoryBudget> budget) noexcept
      : blocks_(blocks), kept_bytes_(kept_bytes), budget_(budget), arena_(std::move(budget)) {}

  // Returns how many blocks have been decoded, which is the number of the next block.
  uint64_t frontier() const noexcept { return frontier_.load(std::memory_order_acquire); }
  // Returns the bytes before `block`, 0 < block <= frontier().
  std::span<const std::byte> before(uint64_t block) const noexcept {
    const Slot slot = slot_of(block);
    return {pages_[slot.page] + slot.index * kept_bytes_, kept_bytes_};
  }
  uint64_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

  // Hold this mutex to move the frontier.
  std::mutex& extending() noexcept { return extending_; }
  // Adds the last bytes of the block at the frontier, which was decoded. Throws Error(Limit) and
  // keeps nothing if the budget is exhausted.
  void append(std::span<const std::byte> end_of_block);
  // Adds the last bytes of the first blocks, concatenated, before any block was decoded. Keeps none
  // if they would take more than half of the remaining budget, because decoding needs some, too.
  void restore(std::span<const std::byte> ends_of_blocks);

 private:
  // Pages hold 2^kFirstBits checkpoints, 2^kFirstBits again, twice that, four times that ...
  static constexpr unsigned kFirstBits = 10;
  static constexpr unsigned kMaxPages = 64 - kFirstBits + 1;
  struct Slot {
    unsigned page;
    uint64_t index;
  };
  static Slot slot_of(uint64_t block) noexcept {
    const unsigned width = static_cast<unsigned>(std::bit_width(block >> kFirstBits));
    return {width, width == 0 ? block : block - (uint64_t{1} << (kFirstBits + width - 1))};
  }
  std::byte* new_page(unsigned page);

  const uint64_t blocks_;
  const unsigned kept_bytes_;
  const std::shared_ptr<MemoryBudget> budget_;
  std::atomic<uint64_t> frontier_{0};
  std::atomic<uint64_t> bytes_{0};
  std::mutex extending_;
  Arena arena_;
  std::array<std::byte*, kMaxPages> pages_{};
};

}  // namespace heron::inline v0::treezip
