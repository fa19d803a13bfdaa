#include "base/huge_pages.h"

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace heron::inline v0 {
namespace {

std::align_val_t alignment_of(uint64_t bytes, uint64_t huge_bytes) noexcept {
  constexpr uint64_t kCacheLine = 64;
  return std::align_val_t{bytes < huge_bytes ? kCacheLine : kHugePage};
}

void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] uint64_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
  madvise(memory, bytes, MADV_HUGEPAGE);  // a hint
#endif
}

uint64_t in_pages(uint64_t bytes) noexcept {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

}  // namespace

void* allocate_pages(uint64_t bytes, uint64_t huge_bytes) noexcept {
  void* memory = ::operator new(bytes, alignment_of(bytes, huge_bytes), std::nothrow);
  if (memory != nullptr && bytes >= huge_bytes) {
    ask_for_huge_pages(memory, bytes / kHugePage * kHugePage);
  }
  return memory;
}

void free_pages(void* memory, uint64_t bytes, uint64_t huge_bytes) noexcept {
  ::operator delete(memory, alignment_of(bytes, huge_bytes));
}

void* map_zeroed(uint64_t bytes) {
  const uint64_t wanted = in_pages(bytes), mapped = wanted + kHugePage;
  void* memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const first = static_cast<std::byte*>(memory);
  const uint64_t before = in_pages(reinterpret_cast<uintptr_t>(first)) -
                          reinterpret_cast<uintptr_t>(first);
  if (before != 0) munmap(first, before);
  if (before != kHugePage) munmap(first + before + wanted, kHugePage - before);
  ask_for_huge_pages(first + before, wanted);
  return first + before;
}

void* grow_zeroed(void* memory, uint64_t bytes, uint64_t more_bytes) {
  void* const grown = map_zeroed(more_bytes);
  const uint64_t moved = in_pages(bytes);
  if (mremap(memory, moved, moved, MREMAP_MAYMOVE | MREMAP_FIXED, grown) == MAP_FAILED) {
    unmap_zeroed(grown, more_bytes);
    throw std::bad_alloc();
  }
  return grown;
}

void unmap_zeroed(void* memory, uint64_t bytes) noexcept {
  munmap(memory, in_pages(bytes));
}

}  // namespace heron::inline v0
