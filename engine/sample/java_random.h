// Reproduces the generator of java.util.Random exactly, to repeat the samples of programs that
// shuffle with it.
#pragma once

#include <bit>
#include <cstdint>

namespace heron::inline v0 {

// 48 bits of state. One thread at a time.
class JavaRandom {
 public:
  // Uses only the low 48 bits of the seed.
  explicit JavaRandom(uint64_t seed) noexcept : state_((seed ^ kMultiplier) & kMask) {}

  // Returns Java's nextInt(bound): uniform below `bound`, which is 1 to 2^31 - 1.
  uint32_t below(uint32_t bound) noexcept {
    if (std::has_single_bit(bound)) return static_cast<uint32_t>(uint64_t{bound} * next() >> 31);
    uint32_t drawn, rest;
    do {  // numbers after the last whole multiple of `bound` would favour small ones
      drawn = next();
      rest = drawn % bound;
    } while (drawn - rest + (bound - 1) > INT32_MAX);
    return rest;
  }

 private:
  static constexpr uint64_t kMultiplier = 0x5deece66d;
  static constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;

  // Returns the high 31 bits of the next state.
  uint32_t next() noexcept {
    state_ = (state_ * kMultiplier + 0xb) & kMask;
    return static_cast<uint32_t>(state_ >> 17);
  }

  uint64_t state_;
};

}  // namespace heron::inline v0
