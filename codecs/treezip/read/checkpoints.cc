#include "treezip/read/checkpoints.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heron::inline v0::treezip {

void Checkpoints::append(std::span<const std::byte> end_of_block) {
  const uint64_t block = frontier_.load(std::memory_order_relaxed) + 1;
  const Slot slot = slot_of(block);
  std::byte*& page = pages_[slot.page];
  if (page == nullptr) page = new_page(slot.page);
  std::memcpy(page + slot.index * kept_bytes_, end_of_block.data(), kept_bytes_);
  frontier_.store(block, std::memory_order_release);
}

void Checkpoints::restore(std::span<const std::byte> ends_of_blocks) {
  if (budget_ != nullptr) {
    constexpr uint64_t kPadding = kMaxPages * (Arena::kSlack + Arena::kAlignment);
    const uint64_t left = budget_->limit() - std::min(budget_->limit(), budget_->used());
    if (left / 2 < kPadding || ends_of_blocks.size() > left / 2 - kPadding) return;
  }
  for (; !ends_of_blocks.empty(); ends_of_blocks = ends_of_blocks.subspan(kept_bytes_)) {
    append(ends_of_blocks.first(kept_bytes_));
  }
}

// The page is sized for the remaining blocks, so that little is left over once all are decoded.
std::byte* Checkpoints::new_page(unsigned page) {
  const uint64_t first = page == 0 ? 0 : uint64_t{1} << (kFirstBits + page - 1);
  const uint64_t count =
      std::min(uint64_t{1} << (kFirstBits + std::max(page, 1U) - 1), blocks_ + 1 - first);
  const uint64_t bytes = count * kept_bytes_;
  std::byte* memory = arena_.allocate(bytes);
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return memory;
}

}  // namespace heron::inline v0::treezip
