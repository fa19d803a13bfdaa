// Bits of rows in whole words, bit i % 64 of word i / 64 for row i: predicates are evaluated on
// them, and tests clear them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/cpu.h"
#include "values/bitmap.h"

namespace heron::inline v0 {

constexpr uint64_t bit_words(uint64_t bits) noexcept {
  return bits / 64 + (bits % 64 != 0);
}

// The lowest `count` bits of a word, up to 64.
constexpr uint64_t low_bits(uint64_t count) noexcept {
  return count >= 64 ? UINT64_MAX : (uint64_t{1} << count) - 1;
}

// 64 bytes that are 0 or 255 become 64 bits, the first byte the lowest.
HERON_INLINE uint64_t pack_flags(const uint8_t* flags) {
  uint64_t word = 0;
#if defined(__SSE2__)
  for (unsigned i = 0; i < 4; ++i) {
    __m128i some;
    std::memcpy(&some, flags + 16 * i, sizeof some);
    const auto bits = static_cast<unsigned>(_mm_movemask_epi8(some));
    word |= uint64_t{bits} << (16 * i);
  }
#else
  for (unsigned i = 0; i < 64; ++i) word |= uint64_t{flags[i] & 1u} << i;
#endif
  return word;
}

// Sets the first `count` bits of whole words; the other bits of the last word become 0.
inline void set_first_bits(uint64_t* words, uint64_t count) noexcept {
  std::fill_n(words, bit_words(count), UINT64_MAX);
  if (count % 64 != 0) words[count / 64] = low_bits(count % 64);
}
inline void set_first_bits(std::vector<uint64_t>& words, uint64_t count) {
  words.resize(bit_words(count));
  set_first_bits(words.data(), count);
}

uint64_t count_bits(std::span<const uint64_t> words) noexcept;

// Appends first + i for each set bit i, of which there are `count`.
inline void append_set_bits(std::span<const uint64_t> words, uint64_t first, uint64_t count,
                            std::vector<uint64_t>& to) {
  uint64_t at = to.size();
  to.resize(at + count);
  for (const uint64_t bits : words) {
    for (uint64_t word = bits; word != 0; word &= word - 1) {
      to[at++] = first + static_cast<uint64_t>(std::countr_zero(word));
    }
    first += 64;
  }
}

// Calls change(word, mask) for each word with some of the bits from `first` up to `last`; the mask
// selects them. Stops when it returns false.
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

// Copies the bits from `first` up to `last` to bits 0 on of whole words.
void extract_bits(std::span<const uint64_t> words, uint64_t first, uint64_t last,
                  std::vector<uint64_t>& to);
// Copies bits 0 on of whole words to the bits from `first` up to `last`.
void replace_bits(std::span<uint64_t> words, uint64_t first, uint64_t last,
                  std::span<const uint64_t> from) noexcept;

inline void keep_none(uint64_t count, uint64_t* rows) noexcept {
  std::fill_n(rows, bit_words(count), uint64_t{0});
}

// Clears the bits of rows whose bit in a bitmap of `count` is not `expected`.
inline void keep_bits(const std::byte* bits, bool expected, uint64_t count,
                      uint64_t* rows) noexcept {
  const uint64_t turned = expected ? 0 : UINT64_MAX;
  for (uint64_t first = 0; first < count; first += 64) {
    uint64_t word = 0;
    std::memcpy(&word, bits + first / 8, count - first < 64 ? bitmap_bytes(count - first) : 8);
    rows[first / 64] &= word ^ turned;
  }
}

// Clears the bits of null rows; a null validity bitmap means that no row is null.
inline void keep_valid(const std::byte* validity, uint64_t count, uint64_t* rows) noexcept {
  if (validity != nullptr) keep_bits(validity, true, count, rows);
}

// Clears the bits of rows for which is_true(row) is false; calls it only for rows whose bit is set.
template <class IsTrue>
void keep_rows(uint64_t count, uint64_t* rows, IsTrue&& is_true) {
  for (uint64_t first = 0; first < count; first += 64) {
    uint64_t& word = rows[first / 64];
    for (uint64_t left = word; left != 0; left &= left - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(left));
      if (!is_true(first + bit)) word &= ~(uint64_t{1} << bit);
    }
  }
}

}  // namespace heron::inline v0
