// The labels of a node of the tree, where no feature looks back: those of a cube of addresses,
// packed in address order. Fixing a bit of the address keeps the order, so the addresses that there
// are stay a prefix of the cube, and how many have bit j set follows from their number.
//
// Words hold 64 labels each; what lies behind the last one is 0.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/cpu.h"
#include "treezip/layout.h"

namespace heron::inline v0::treezip {

// Labels of a word of which address bit j is set.
inline constexpr std::array<uint64_t, kWordFeatures> kLabelsWith = {
    0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

// How many of the first `length` addresses have bit j set.
constexpr uint64_t addresses_with(unsigned j, uint64_t length) noexcept {
  const uint64_t half = uint64_t{1} << j;
  const uint64_t rest = length & (2 * half - 1);
  return (length >> (j + 1) << j) + (rest > half ? rest - half : 0);
}

// How many address bits differ among the first `length` > 0 addresses.
constexpr unsigned differing_bits(uint64_t length) noexcept {
  return static_cast<unsigned>(std::bit_width(length - 1));
}

constexpr uint64_t words_of(uint64_t length) noexcept {
  return length / 64 + (length % 64 != 0 ? 1 : 0);
}

// Neither is an intrinsic: code that is compiled for any machine, too, cannot hold it.
HERON_INLINE unsigned count_ones(uint64_t word, [[maybe_unused]] bool has_bmi2) {
#if defined(__x86_64__)
  if (has_bmi2) [[likely]] {
    uint64_t count;
    asm("popcntq %1, %0" : "=r"(count) : "r"(word) : "cc");
    return static_cast<unsigned>(count);
  }
#endif
  return static_cast<unsigned>(std::popcount(word));
}

// The 32 labels of which address bit j is `value`.
HERON_INLINE uint64_t half_of(uint64_t word, unsigned j, bool value,
                              [[maybe_unused]] bool has_bmi2) {
#if defined(__x86_64__)
  if (has_bmi2) [[likely]] {
    uint64_t half;
    asm("pextq %2, %1, %0" : "=r"(half) : "r"(word), "r"(value ? kLabelsWith[j] : ~kLabelsWith[j]));
    return half;
  }
#endif
  if (value) word >>= 1U << j;
  word &= ~kLabelsWith[j];
  for (; j + 1 < kWordFeatures; ++j) word = (word | word >> (1U << j)) & ~kLabelsWith[j + 1];
  return (word | word >> 32) & 0xFFFFFFFF;
}

// Of the labels in `words`: ones[j] becomes how many are set of those with address bit j set, for
// every bit that differs among them.
using OnesWith = std::array<uint64_t, 64>;
void count_ones(const uint64_t* words, uint64_t count, OnesWith& ones);

// Writes the labels of which address bit j is `value`, to `half`, which may be `words`: what is
// written was read.
void take_half(const uint64_t* words, uint64_t count, unsigned j, bool value, uint64_t* half);

}  // namespace heron::inline v0::treezip
