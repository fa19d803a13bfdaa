// Bits in Arrow's order: bit i is byte i/8, bit i%8.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heron::inline v0 {

constexpr uint64_t bitmap_bytes(uint64_t bits) noexcept {
  return bits / 8 + (bits % 8 != 0);
}

inline bool get_bit(const std::byte* bits, uint64_t i) noexcept {
  return (std::to_integer<unsigned>(bits[i / 8]) >> (i % 8)) & 1;
}

// Eight bytes that are 0 or 1 become eight bits, the first byte the lowest.
inline uint8_t pack_eight(const uint8_t* flags) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    uint64_t eight;
    std::memcpy(&eight, flags, 8);
    return static_cast<uint8_t>((eight * 0x0102040810204080u) >> 56);
  }
  uint8_t byte = 0;
  for (int i = 0; i < 8; ++i) byte = static_cast<uint8_t>(byte | flags[i] << i);
  return byte;
}

// Copies `count` bits that begin at bit `first` of `from` to bit 0 of `to` and clears the rest of
// the last byte. Reads only bytes that hold one of the bits.
void copy_bits(const std::byte* from, uint64_t first, uint64_t count, std::byte* to) noexcept;

// How many of the first `count` bits are clear.
uint64_t count_clear(const std::byte* bits, uint64_t count) noexcept;

}  // namespace heron::inline v0
