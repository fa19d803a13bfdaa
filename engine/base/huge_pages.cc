#include "base/huge_pages.h"

#include <sys/mman.h>

namespace heron::inline v0 {
namespace {

std::align_val_t alignment_of(uint64_t bytes, uint64_t huge_bytes) noexcept {
  constexpr uint64_t kCacheLine = 64;
  return std::align_val_t{bytes < huge_bytes ? kCacheLine : kHugePage};
}

}  // namespace

void* allocate_pages(uint64_t bytes, uint64_t huge_bytes) noexcept {
  void* memory = ::operator new(bytes, alignment_of(bytes, huge_bytes), std::nothrow);
#if defined(MADV_HUGEPAGE)
  if (memory != nullptr && bytes >= huge_bytes) {
    madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);  // a hint
  }
#endif
  return memory;
}

void free_pages(void* memory, uint64_t bytes, uint64_t huge_bytes) noexcept {
  ::operator delete(memory, alignment_of(bytes, huge_bytes));
}

}  // namespace heron::inline v0
