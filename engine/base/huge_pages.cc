#include "base/huge_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <new>
#include <span>

#include "base/machine_memory.h"

namespace heron::inline v0 {
namespace {

// Under sanitizers, which are to find uses of freed memory, blocks are not kept.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kKeeps = false;
#elif defined(__has_feature)
constexpr bool kKeeps = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
constexpr bool kKeeps = true;
#endif

uint64_t in_pages(uint64_t bytes) noexcept {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

uint64_t most_kept() noexcept {
  constexpr uint64_t kMaximum = uint64_t{1} << 30;
  return kKeeps ? std::min(kMaximum, machine_memory() / 32) : 0;
}

// Freed blocks, in the order in which they were freed; neighbours are joined. A thread that finds
// the lock taken does without them, and so does a child that was forked meanwhile.
class KeptBlocks {
 public:
  // Takes bytes from the smallest block that is large enough and keeps the rest of it; returns null
  // if there is none.
  void* take(uint64_t bytes) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return nullptr;
    Block* best = nullptr;
    for (Block& block : std::span(blocks_).first(count_)) {
      if (block.bytes >= bytes && (best == nullptr || block.bytes < best->bytes)) best = &block;
    }
    if (best == nullptr) return nullptr;
    std::byte* const taken = best->memory;
    best->memory += bytes;
    shrink(*best, bytes);
    return taken;
  }

  // Takes the bytes from `start` on, where a block must begin. Returns whether they are taken.
  bool take_at(const std::byte* start, uint64_t bytes) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    for (Block& block : std::span(blocks_).first(count_)) {
      if (block.memory != start || block.bytes < bytes) continue;
      block.memory += bytes;
      shrink(block, bytes);
      return true;
    }
    return false;
  }

  // Returns whether the memory is kept.
  bool keep(void* memory, uint64_t bytes) noexcept {
    if (bytes > most_) return false;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || madvise(memory, bytes, MADV_FREE) != 0) return false;
    Block freed{static_cast<std::byte*>(memory), bytes};
    held_ += bytes;
    for (uint64_t i = count_; i-- != 0;) {
      const Block other = blocks_[i];
      const bool is_before = other.end() == freed.memory;
      if (!is_before && freed.end() != other.memory) continue;
      freed = {is_before ? other.memory : freed.memory, freed.bytes + other.bytes};
      drop(i);
    }
    if (count_ == blocks_.size()) unmap_end(blocks_[0], blocks_[0].bytes);
    blocks_[count_++] = freed;
    while (held_ > most_) unmap_end(blocks_[0], std::min(blocks_[0].bytes, held_ - most_));
    return true;
  }

  uint64_t held() noexcept {
    const std::lock_guard lock(mutex_);
    return held_;
  }

 private:
  struct Block {
    std::byte* memory;
    uint64_t bytes;
    std::byte* end() const noexcept { return memory + bytes; }
  };

  void unmap_end(Block& block, uint64_t bytes) noexcept {
    munmap(block.end() - bytes, bytes);
    shrink(block, bytes);
  }
  void shrink(Block& block, uint64_t bytes) noexcept {
    block.bytes -= bytes;
    held_ -= bytes;
    if (block.bytes == 0) drop(static_cast<uint64_t>(&block - blocks_.data()));
  }
  void drop(uint64_t i) noexcept {
    std::copy(blocks_.begin() + i + 1, blocks_.begin() + count_, blocks_.begin() + i);
    --count_;
  }

  const uint64_t most_ = most_kept() / kHugePage * kHugePage;
  std::mutex mutex_;
  std::array<Block, 64> blocks_{};
  uint64_t count_ = 0, held_ = 0;
};

KeptBlocks& kept_blocks() noexcept {
  static KeptBlocks& blocks = *new KeptBlocks;  // outlives all arrays
  return blocks;
}

// Maps fresh pages that begin at a huge page.
void* reserve(uint64_t bytes) {
  constexpr uint64_t kMaximum = uint64_t{1} << 47;
  if (bytes > kMaximum) throw std::bad_alloc();
  const uint64_t mapped = bytes + kHugePage;
  void* memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const first = static_cast<std::byte*>(memory);
  const uint64_t before = in_pages(reinterpret_cast<uintptr_t>(first)) -
                          reinterpret_cast<uintptr_t>(first);
  if (before != 0) munmap(first, before);
  if (before != kHugePage) munmap(first + before + bytes, kHugePage - before);
  return first + before;
}

void request_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] uint64_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
  madvise(memory, bytes, MADV_HUGEPAGE);  // a hint
#endif
}

}  // namespace

PageBlock map_pages(uint64_t bytes) {
  const uint64_t needed = in_pages(bytes);
  if (needed < bytes) throw std::bad_alloc();
  if (void* const kept = kept_blocks().take(needed)) return {kept, needed};
  void* const memory = reserve(needed);
  request_huge_pages(memory, needed);
  return {memory, 0};
}

PageBlock grow_pages(PageBlock block, uint64_t bytes, uint64_t used, uint64_t more_bytes) {
  const uint64_t mapped = in_pages(bytes), needed = in_pages(more_bytes);
  if (needed <= mapped) return block;
  const auto* const end = static_cast<std::byte*>(block.memory) + mapped;
  if (kept_blocks().take_at(end, needed - mapped)) return {block.memory, needed};
  if (void* const kept = kept_blocks().take(needed)) {
    std::memcpy(kept, block.memory, used);
    unmap_pages(block.memory, bytes);
    return {kept, needed};
  }
  PageBlock grown = {reserve(needed), block.written};
  constexpr int kMovesThere = MREMAP_MAYMOVE | MREMAP_FIXED;
  if (mremap(block.memory, mapped, needed, kMovesThere, grown.memory) == MAP_FAILED) {
    // Kernels before 6.17 do not move memory joined from two mappings. The target may be unmapped
    // already, and then belong to others: it is left alone.
    grown = {reserve(needed), 0};
    std::memcpy(grown.memory, block.memory, used);
    unmap_pages(block.memory, bytes);
  }
  request_huge_pages(grown.memory, needed);
  return grown;
}

void unmap_pages(void* memory, uint64_t bytes) noexcept {
  const uint64_t mapped = in_pages(bytes);
  if (!kept_blocks().keep(memory, mapped)) munmap(memory, mapped);
}

uint64_t kept_pages() noexcept {
  return kept_blocks().held();
}

}  // namespace heron::inline v0
