// Bytes that record where they are accessed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// True where accesses can be seen: x86-64 can trap after one instruction.
#if defined(__x86_64__)
inline constexpr bool kSeesAccesses = true;
#else
inline constexpr bool kSeesAccesses = false;
#endif

// Bytes in memory, each access to which costs two signals, 20 us. Only one thread may access them, and
// only one TracedSource may exist at a time. A call of the system that reads them fails with EFAULT.
class TracedSource final : public ByteSource {
 public:
  // Throws std::bad_alloc.
  explicit TracedSource(std::span<const std::byte> bytes);
  ~TracedSource() override;

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override;

  // Returns where each access began. Valid until the next one.
  std::span<const uint32_t> trace() const noexcept;

 private:
  struct Pages;
  std::unique_ptr<Pages> pages_;
};

}  // namespace heron::inline v0
