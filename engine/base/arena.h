// The memory of one batch: many small allocations that are freed together and charged to a
// MemoryBudget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "heron/context.h"

namespace heron::inline v0 {

// One thread at a time. Allocations live until reset() or the end of the Arena.
class Arena {
 public:
  explicit Arena(std::shared_ptr<MemoryBudget> budget = nullptr,
                 uint64_t first_chunk_bytes = kDefaultChunk) noexcept
      : budget_(std::move(budget)), next_chunk_bytes_(first_chunk_bytes) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Returns uninitialised bytes at a 64-byte boundary, followed by kSlack writable bytes. Throws
  // Error(Limit) if the budget is exhausted.
  std::byte* allocate(uint64_t bytes) {
    const uint64_t needed = padded(bytes);
    if (needed < bytes || needed > free_bytes_) return grow(bytes);
    std::byte* piece = next_;
    next_ += needed;
    free_bytes_ -= needed;
    return piece;
  }
  template <class T>
  T* allocate_array(uint64_t count) {
    if (count > UINT64_MAX / 2 / sizeof(T)) throw_too_much(count);
    return reinterpret_cast<T*>(allocate(count * sizeof(T)));
  }

  // Keeps an object, whose memory values point into, alive as long as the allocations.
  void keep(std::shared_ptr<const void> owner) { kept_.push_back(std::move(owner)); }
  // Keeps an object alive also through the next reset(): the next allocations may need it again.
  void keep_for_next(std::shared_ptr<const void> owner) {
    kept_for_next_.push_back(std::move(owner));
  }

  // Drops all allocations and keeps their memory for the next ones. Several chunks are replaced by
  // one of their total size (at the next allocation), so that an Arena in repeated use settles at
  // one chunk.
  void reset();

  // Bytes taken from the heap, used or not.
  uint64_t held_bytes() const noexcept {
    uint64_t bytes = 0;
    for (const Chunk& chunk : chunks_) bytes += chunk.bytes;
    return bytes;
  }

  static constexpr uint64_t kSlack = 64;
  static constexpr uint64_t kAlignment = 64;
  static constexpr uint64_t kDefaultChunk = uint64_t{64} << 10;

 private:
  struct Chunk {
    std::byte* memory;
    uint64_t bytes;
  };
  // The result is less than `bytes` if it wrapped.
  static constexpr uint64_t padded(uint64_t bytes) {
    return (bytes + kSlack + kAlignment - 1) / kAlignment * kAlignment;
  }
  std::byte* grow(uint64_t bytes);
  void add_chunk(uint64_t bytes);
  void free_chunks() noexcept;
  [[noreturn]] static void throw_too_much(uint64_t count);

  std::shared_ptr<MemoryBudget> budget_;
  std::vector<Chunk> chunks_;
  std::vector<std::shared_ptr<const void>> kept_;
  std::vector<std::shared_ptr<const void>> kept_for_next_;
  std::byte* next_ = nullptr;
  uint64_t free_bytes_ = 0;
  uint64_t next_chunk_bytes_;  // minimum; doubles with every chunk
};

}  // namespace heron::inline v0
