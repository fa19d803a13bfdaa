// Bit operations on words of 64 bits: counting, extracting and placing. Functions with `fast` take
// one instruction if it is true, which requires has_x86_64_v3(); it is a constant in kernels
// (dispatch_bits). They use no intrinsics, which cannot be in code that is also compiled for any
// CPU.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/cpu.h"
#include "treezip/layout.h"

namespace heron::inline v0::treezip {

// Element j has the bits of a word whose number, 0 to 63, has bit j set.
inline constexpr std::array<uint64_t, kWordFeatures> kBitsWith = {
    0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

// Returns the number of words that hold that many bits.
constexpr uint64_t words_of(uint64_t bits) noexcept {
  return bits / 64 + (bits % 64 != 0 ? 1 : 0);
}

HERON_INLINE unsigned count_ones(uint64_t word) {
  return static_cast<unsigned>(std::popcount(word));
}
// Counts ones in code outside kernels.
HERON_INLINE unsigned count_ones(uint64_t word, [[maybe_unused]] bool fast) {
#if defined(__x86_64__)
  if (fast) [[likely]] {
    uint64_t count;
    asm("popcntq %1, %0" : "=r"(count) : "r"(word) : "cc");
    return static_cast<unsigned>(count);
  }
#endif
  return count_ones(word);
}

// Returns the bits that the mask selects, adjacent.
HERON_INLINE uint64_t extract_bits(uint64_t word, uint64_t mask, [[maybe_unused]] bool fast) {
  uint64_t bits = 0;
#if defined(__x86_64__)
  if (fast) [[likely]] {
    asm("pextq %2, %1, %0" : "=r"(bits) : "r"(word), "rm"(mask));
    return bits;
  }
#endif
  for (unsigned to = 0; mask != 0; mask &= mask - 1, ++to) {
    bits |= (word >> std::countr_zero(mask) & 1) << to;
  }
  return bits;
}

// Returns the 32 bits whose number has `value` in bit j.
HERON_INLINE uint64_t half_of(uint64_t word, unsigned j, bool value, bool fast) {
  if (fast) [[likely]]
    return extract_bits(word, value ? kBitsWith[j] : ~kBitsWith[j], true);
  if (value) word >>= 1U << j;
  word &= ~kBitsWith[j];
  for (; j + 1 < kWordFeatures; ++j) word = (word | word >> (1U << j)) & ~kBitsWith[j + 1];
  return (word | word >> 32) & 0xFFFFFFFF;
}

// Returns the position of the set bit number `index`, index < count_ones(mask).
HERON_INLINE unsigned select_bit(uint64_t mask, unsigned index, [[maybe_unused]] bool fast) {
#if defined(__x86_64__)
  if (fast) [[likely]] {
    uint64_t bit;
    asm("pdepq %2, %1, %0" : "=r"(bit) : "r"(uint64_t{1} << index), "rm"(mask));
    return static_cast<unsigned>(std::countr_zero(bit));
  }
#endif
  for (; index > 0; --index) mask &= mask - 1;
  return static_cast<unsigned>(std::countr_zero(mask));
}

// Runs Kernel<fast>::run(args...), compiled for this CPU.
template <template <bool> class Kernel, class... Args>
auto dispatch_bits(Args... args) {
#if defined(HERON_X86_64_V3)
  if (has_x86_64_v3()) return run_x86_64_v3<Kernel<true>>(args...);
#endif
  return Kernel<false>::run(args...);
}

}  // namespace heron::inline v0::treezip
