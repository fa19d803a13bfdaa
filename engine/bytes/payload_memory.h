// The memory of a container's payload while it is decompressed: grows, as its size is known only at
// the end.
#pragma once

#include <cstring>
#include <memory>
#include <span>

#include "base/arena.h"
#include "base/fail.h"
#include "base/hints.h"
#include "bytes/byte_source.h"
#include "heron/error.h"

namespace heron::inline v0 {

// One thread at a time.
class PayloadMemory {
 public:
  // The memory is charged to the budget of `context`, which outlives this.
  explicit PayloadMemory(const Context& context) : context_(context) {}

  // Return the bytes written so far, their owner, and the free bytes behind them.
  std::span<const std::byte> bytes() const noexcept { return {memory_, used_}; }
  std::shared_ptr<const void> owner() const noexcept { return arena_; }
  std::span<std::byte> free() const noexcept { return {memory_ + used_, capacity_ - used_}; }
  uint64_t capacity() const noexcept { return capacity_; }

  // Counts the first free bytes, at most free().size(), as written.
  void use(uint64_t bytes) noexcept { used_ += bytes; }
  // Grows to `capacity`, at least bytes().size(). Throws Error(Limit).
  void grow(uint64_t capacity) {
    auto arena = std::make_shared<Arena>(context_.memory, capacity + Arena::kSlack);
    std::byte* memory = arena->allocate(capacity);
    if (used_ != 0) std::memcpy(memory, memory_, used_);
    arena_ = std::move(arena);
    memory_ = memory;
    capacity_ = capacity;
  }

 private:
  const Context& context_;
  std::shared_ptr<Arena> arena_;
  std::byte* memory_ = nullptr;
  uint64_t capacity_ = 0;
  uint64_t used_ = 0;
};

// Reports a payload of more bytes than OpenOptions::max_decode.
[[noreturn]] inline void fail_max_decode(const ByteSource& file, uint64_t stored_bytes,
                                         uint64_t limit) {
  fail_with_hint(ErrorKind::Limit, hint::kMaxDecode, file.name(), "decompressing its ",
                 stored_bytes, " bytes gives more than ", limit);
}

}  // namespace heron::inline v0
