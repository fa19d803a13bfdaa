// Memory for large arrays, in huge pages if the system gives them: one fault then maps what
// otherwise takes 512, and random access needs few entries of the TLB.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

inline constexpr uint64_t kHugePage = uint64_t{2} << 20;

// Blocks of at least `huge_bytes` begin at a huge page and ask for such pages, smaller ones begin
// at a multiple of 64. Null: no memory. Give the same `huge_bytes` to both calls.
void* allocate_pages(uint64_t bytes, uint64_t huge_bytes) noexcept;
void free_pages(void* memory, uint64_t bytes, uint64_t huge_bytes) noexcept;

// Zeros that begin at a huge page and ask for such pages; the system gives each page when it is
// touched. Growing moves pages, not their bytes. Both throw std::bad_alloc, and then change nothing.
void* map_zeroed(uint64_t bytes);
void* grow_zeroed(void* memory, uint64_t bytes, uint64_t more_bytes);
void unmap_zeroed(void* memory, uint64_t bytes) noexcept;

}  // namespace heron::inline v0
