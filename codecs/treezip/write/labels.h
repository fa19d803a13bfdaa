// The labels of a node in a tree without previous bits: those of a cube of addresses, packed in
// address order. Fixing a bit of the address keeps the order, so the existing addresses stay a
// prefix of the cube, and their number determines how many have bit j set.
//
// Words hold 64 labels each; bits behind the last one are 0.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "treezip/word_bits.h"

namespace heron::inline v0::treezip {

// Returns how many of the first `length` addresses have bit j set.
constexpr uint64_t addresses_with(unsigned j, uint64_t length) noexcept {
  const uint64_t half = uint64_t{1} << j;
  const uint64_t rest = length & (2 * half - 1);
  return (length >> (j + 1) << j) + (rest > half ? rest - half : 0);
}

// Returns how many address bits differ among the first `length` > 0 addresses.
constexpr unsigned differing_bits(uint64_t length) noexcept {
  return static_cast<unsigned>(std::bit_width(length - 1));
}

// Sets ones[j] to the number of set labels in `words` whose address has bit j set, for every bit
// that differs.
using OnesWith = std::array<uint64_t, 64>;
void count_ones(const uint64_t* words, uint64_t count, OnesWith& ones);

// Writes the labels whose address bit j is `value` to `half`, which may be `words`: reads stay
// ahead of writes.
void take_half(const uint64_t* words, uint64_t count, unsigned j, bool value, uint64_t* half);

}  // namespace heron::inline v0::treezip
