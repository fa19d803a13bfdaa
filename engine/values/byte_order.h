// Cells in the other byte order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"

namespace heron::inline v0 {

HERON_INLINE uint8_t byte_reversed(uint8_t cell) noexcept {
  return cell;
}
HERON_INLINE uint16_t byte_reversed(uint16_t cell) noexcept {
  return __builtin_bswap16(cell);
}
HERON_INLINE uint32_t byte_reversed(uint32_t cell) noexcept {
  return __builtin_bswap32(cell);
}
HERON_INLINE uint64_t byte_reversed(uint64_t cell) noexcept {
  return __builtin_bswap64(cell);
}

// Copies `count` cells of `width` bytes (1, 2, 4 or 8), each with its bytes reversed. `to` may be
// `from`; otherwise they do not overlap. Both may be unaligned.
void swap_cells(const std::byte* from, uint64_t count, uint32_t width, std::byte* to) noexcept;

}  // namespace heron::inline v0
