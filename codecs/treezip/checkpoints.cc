#include "treezip/checkpoints.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heron::inline v0::treezip {

void Checkpoints::append(std::span<const std::byte> end_of_block) {
  const uint64_t block = frontier_.load(std::memory_order_relaxed) + 1;
  const Place place = place_of(block);
  std::byte*& page = pages_[place.page];
  if (page == nullptr) page = new_page(place.page);
  std::memcpy(page + place.index * kept_bytes_, end_of_block.data(), kept_bytes_);
  frontier_.store(block, std::memory_order_release);
}

// Not for more blocks than there are: once all is decoded, little is left over.
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
