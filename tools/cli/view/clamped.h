// Computes positions and sizes that stop at the ends of their range.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heron::cli {

// A sum and a difference that stay within 64 bits.
inline uint64_t plus(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
inline uint64_t minus(uint64_t a, uint64_t b) {
  return a - std::min(a, b);
}

}  // namespace heron::cli
