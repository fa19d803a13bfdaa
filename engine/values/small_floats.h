// Floats of 16 and 8 bits, all of whose values are float32 values: formats store them, and Heron
// reads them as float32.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heron::inline v0 {

enum class SmallFloat : uint8_t {
  Half,        // IEEE 754 binary16
  BFloat16,    // the upper half of a float32
  Float8E4M3,  // e4m3fn: no infinities, and one NaN of each sign (0x7F, 0xFF)
  Float8E5M2,  // the upper half of a Half
};

constexpr uint32_t width_of(SmallFloat kind) noexcept {
  return kind == SmallFloat::Half || kind == SmallFloat::BFloat16 ? 2 : 1;
}

// Converts consecutive cells, which may be unaligned but are in the machine's byte order. Exact; a
// NaN becomes a quiet NaN of its sign. `to` must not overlap the cells.
void widen_floats(SmallFloat kind, const std::byte* cells, uint64_t count, float* to) noexcept;

// Returns the nearest Half or BFloat16 in its low bits, of two equally near the even one; a number
// above the largest by half a step or more becomes infinite, and a NaN a quiet NaN of its sign.
uint16_t narrow_float(SmallFloat kind, double value) noexcept;

}  // namespace heron::inline v0
