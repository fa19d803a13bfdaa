// Memory for large arrays, in huge pages if the system gives them: one fault then maps what
// otherwise takes 512, and random access needs few entries of the TLB.
//
// Blocks that are freed are kept for the next ones, since fresh pages cost more than most work on
// them: up to a 32nd of the machine's memory, at most 1 GiB, the latest ones. The system may take
// the pages of kept blocks when it needs them. Any thread may call.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

inline constexpr uint64_t kHugePage = uint64_t{2} << 20;

// A block begins at a huge page. Its first `written` bytes may be anything, the others are zero.
struct PageBlock {
  void* memory;
  uint64_t written;
};

// Maps a block; the system provides each page when it is touched. Throws std::bad_alloc.
PageBlock map_pages(uint64_t bytes);
// Moves a block of `bytes`, of which `written` may not be zero, and whose first `used` bytes stay,
// to one of `more_bytes`: by moving its pages, or to a kept block. Throws std::bad_alloc, and then
// changes nothing.
PageBlock grow_pages(PageBlock block, uint64_t bytes, uint64_t used, uint64_t more_bytes);
void unmap_pages(void* memory, uint64_t bytes) noexcept;

// The bytes of kept blocks.
uint64_t kept_pages() noexcept;

}  // namespace heron::inline v0
