// Sizes rounded up to multiples.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

// Returns the smallest multiple of `unit` that is not below `bytes`. The sum of both must not
// overflow, and `unit` must not be 0.
constexpr uint64_t round_up(uint64_t bytes, uint64_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

// Returns the size of a buffer behind which another one may begin: buffers begin at multiples of a
// cache line.
constexpr uint64_t padded(uint64_t bytes) noexcept {
  constexpr uint64_t kCacheLine = 64;
  return round_up(bytes, kCacheLine);
}

}  // namespace heron::inline v0
