// 16-bit floats (IEEE 754 binary16), all of which are float32 values.
#pragma once

#include <bit>
#include <cstdint>

namespace heron::inline v0::arrow {

inline float float_of(uint16_t half) noexcept {
  const uint32_t sign = uint32_t{half & 0x8000u} << 16;
  const uint32_t exponent = (half >> 10) & 0x1Fu;
  const uint32_t fraction = half & 0x3FFu;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F80'0000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = static_cast<float>(fraction) * 0x1p-24f;
  return sign == 0 ? small : -small;
}

}  // namespace heron::inline v0::arrow
