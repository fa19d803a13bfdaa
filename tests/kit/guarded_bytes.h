// Memory between pages that cannot be touched.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

namespace heron::inline v0 {

// Holds bytes between two pages that cannot be touched, so that they end at the second: a read one
// byte too far is a signal.
class GuardedBytes {
 public:
  explicit GuardedBytes(size_t capacity)
      : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
        room_((capacity + page_ - 1) / page_ * page_),
        memory_(mmap(nullptr, room_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED || mprotect(end() - room_, room_, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
  }
  ~GuardedBytes() { munmap(memory_, room_ + 2 * page_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  // Returns a copy of at most the capacity, valid until the next one.
  std::span<std::byte> hold(std::span<const std::byte> bytes) {
    std::ranges::copy(bytes, end() - bytes.size());
    return {end() - bytes.size(), bytes.size()};
  }

 private:
  std::byte* end() const { return static_cast<std::byte*>(memory_) + page_ + room_; }

  size_t page_, room_;
  void* memory_;
};

}  // namespace heron::inline v0
