// Random access to random numbers: every draw of every column follows from the seed, on every
// machine.
#pragma once

#include <cstdint>

namespace heron::generate {

// SplitMix64, whose state is a counter. Cheap to copy, thread-safe.
class Draws {
 public:
  Draws(uint64_t seed, uint64_t column) noexcept : key_(mix(mix(seed) + column)) {}

  // Returns draw `number`: 64 even bits.
  uint64_t operator[](uint64_t number) const noexcept { return mix(key_ + number * kStep); }

  // Returns a whole number below `bound`, taken from a draw's upper 32 bits.
  static constexpr uint64_t below(uint64_t bound, uint64_t draw) noexcept {
    return ((draw >> 32) * bound) >> 32;
  }

 private:
  static constexpr uint64_t kStep = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio

  static constexpr uint64_t mix(uint64_t z) noexcept {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  uint64_t key_;
};

}  // namespace heron::generate
