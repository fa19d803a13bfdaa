// Memory for large arrays, in huge pages if the system gives them: one fault then maps what
// otherwise takes 512, and random access needs few entries of the TLB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace heron::inline v0 {

inline constexpr uint64_t kHugePage = uint64_t{2} << 20;

// Blocks of at least `huge_bytes` begin at a huge page and ask for such pages, smaller ones begin
// at a multiple of 64. Null: no memory. Give the same `huge_bytes` to both calls.
void* allocate_pages(uint64_t bytes, uint64_t huge_bytes) noexcept;
void free_pages(void* memory, uint64_t bytes, uint64_t huge_bytes) noexcept;

// For vectors of a hash table's slots.
template <class T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <class Other>
  explicit HugePageAllocator(const HugePageAllocator<Other>&) noexcept {}

  T* allocate(size_t count) {
    if (count > SIZE_MAX / sizeof(T)) throw std::bad_array_new_length();
    void* memory = allocate_pages(count * sizeof(T), kHugePage);
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) noexcept {
    free_pages(memory, count * sizeof(T), kHugePage);
  }
  bool operator==(const HugePageAllocator&) const = default;
};

}  // namespace heron::inline v0
