// Bits of rows in whole words, bit i % 64 of word i / 64 being row i's: what conditions are worked
// out on.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace heron::inline v0 {

constexpr uint64_t bit_words(uint64_t bits) noexcept {
  return bits / 64 + (bits % 64 != 0);
}

// The lowest `count` bits of a word, up to 64.
constexpr uint64_t low_bits(uint64_t count) noexcept {
  return count >= 64 ? UINT64_MAX : (uint64_t{1} << count) - 1;
}

inline void set_first_bits(std::vector<uint64_t>& words, uint64_t count) {
  words.assign(bit_words(count), UINT64_MAX);
  if (count % 64 != 0) words.back() = low_bits(count % 64);
}

uint64_t count_bits(std::span<const uint64_t> words) noexcept;

// change(word, mask) for each word with some of the bits from `first` up to `last`, the mask
// telling which; while it returns true.
template <class Words, class Change>
void for_words(Words words, uint64_t first, uint64_t last, Change change) {
  while (first < last) {
    const uint64_t bit = first % 64;
    const uint64_t count = std::min(64 - bit, last - first);
    if (!change(words[first / 64], low_bits(count) << bit)) return;
    first += count;
  }
}

inline bool any_bits(std::span<const uint64_t> words, uint64_t first, uint64_t last) noexcept {
  bool any = false;
  for_words(words, first, last, [&](uint64_t word, uint64_t mask) {
    any = (word & mask) != 0;
    return !any;
  });
  return any;
}

inline void clear_bits(std::span<uint64_t> words, uint64_t first, uint64_t last) noexcept {
  for_words(words, first, last, [](uint64_t& word, uint64_t mask) {
    word &= ~mask;
    return true;
  });
}

// The bits from `first` up to `last`, as bits from 0 on of whole words.
void extract_bits(std::span<const uint64_t> words, uint64_t first, uint64_t last,
                  std::vector<uint64_t>& to);
// The same back to where they were.
void replace_bits(std::span<uint64_t> words, uint64_t first, uint64_t last,
                  std::span<const uint64_t> from) noexcept;

}  // namespace heron::inline v0
