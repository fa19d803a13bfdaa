// Bytes that change at a chosen access, as those of a mapped file may at any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// True where accesses can be counted: x86-64 can trap after one instruction.
#if defined(__x86_64__)
inline constexpr bool kCountsAccesses = true;
#else
inline constexpr bool kCountsAccesses = false;
#endif

// Bytes in memory, each access to which is counted by two signals. Once a chosen number of accesses
// were made, all bytes become others of the same size, and further accesses cost nothing. A number that is loaded twice is another one the second time for one of these numbers,
// every time it is tried. Only one thread may access the bytes, and only one SteppedSource may exist
// at a time. What the system reads for a call fails with EFAULT before the change.
class SteppedSource final : public ByteSource {
 public:
  // Throws std::bad_alloc.
  SteppedSource(std::span<const std::byte> first, std::span<const std::byte> then,
                uint64_t accesses);
  ~SteppedSource() override;

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override;

  // Returns the number of accesses up to the change.
  uint64_t accesses() const noexcept;

 private:
  struct Pages;
  std::unique_ptr<Pages> pages_;
};

}  // namespace heron::inline v0
