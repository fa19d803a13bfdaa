// Bits of a stream or payload in order: bit k is bit k & 7 of byte k >> 3, so a little-endian word
// holds 64 of them in order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/cpu.h"

namespace heron::inline v0::treezip {

static_assert(std::endian::native == std::endian::little);

// A view of bytes in memory. They may be mapped, and others may change the file at any time, so
// bytes that are read twice may differ.
struct BitStream {
  const std::byte* data = nullptr;
  uint64_t bytes = 0;

  uint64_t bits() const noexcept { return bytes * 8; }  // bytes are in memory: no overflow

  // Returns at least 57 bits from `at` on, low bit first, padded with zeros past the end. Takes any
  // `at`.
  HERON_INLINE uint64_t peek(uint64_t at) const noexcept {
    const uint64_t byte = at >> 3;
    uint64_t word = 0;
    if (byte + sizeof word <= bytes) [[likely]] {
      std::memcpy(&word, data + byte, sizeof word);
    } else if (byte < bytes) {
      std::memcpy(&word, data + byte, bytes - byte);
    }
    return word >> (at & 7);
  }
};

// Returns the lowest `count` bits, count <= 64.
constexpr uint64_t low_bits(uint64_t word, unsigned count) noexcept {
  return count >= 64 ? word : word & ((uint64_t{1} << count) - 1);
}

}  // namespace heron::inline v0::treezip
