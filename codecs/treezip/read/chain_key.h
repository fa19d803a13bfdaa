// The features of a bit in a tree that tests previous bits: its address and the bits before it,
// side by side in a key, so that every test is a bit number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "treezip/read/survey.h"

namespace heron::inline v0::treezip {

// The bits of features in a key: those of the address from bit 0 up, previous bits from the last
// bit of a word down, the newest first.
class KeyShape {
 public:
  KeyShape(const Header& header, const Survey& survey) noexcept
      : feat_addr_(header.feat_addr), looks_back_(survey.looks_back) {
    // Address bits beyond the payload's size are always 0.
    const unsigned width = std::min<unsigned>(64, std::bit_width(header.size) + 3U);
    for (unsigned feature = 0; feature < std::min(feat_addr_, width); ++feature) {
      if (survey.used[feature]) address_bits_ = feature + 1;
    }
    address_mask_ = low_bits(~uint64_t{0}, address_bits_);
    history_mask_ = ~low_bits(~uint64_t{0}, 64 - std::min(64U, looks_back_));
  }

  // Returns whether address and history fit into one word.
  bool is_narrow() const noexcept { return address_bits_ + looks_back_ <= 64; }
  unsigned address_bits() const noexcept { return address_bits_; }
  uint64_t address_mask() const noexcept { return address_mask_; }
  // The mask of a history in one word.
  uint64_t history_mask() const noexcept { return history_mask_; }

  // Returns the bit of a feature in a key whose history begins at bit `history_begin`; nullopt for
  // a feature that is 0 for every bit of the payload, or that is not in the survey because the file
  // has changed.
  HERON_INLINE std::optional<unsigned> bit_of(unsigned feature,
                                              unsigned history_begin) const noexcept {
    if (feature < feat_addr_) {
      return feature < address_bits_ ? std::optional(feature) : std::nullopt;
    }
    const unsigned distance = feature - feat_addr_;
    if (distance >= looks_back_) return std::nullopt;
    return history_begin + (distance | 63) - distance % 64;
  }

 private:
  unsigned feat_addr_;
  unsigned looks_back_;
  unsigned address_bits_ = 0;
  uint64_t address_mask_;
  uint64_t history_mask_;
};

// The last 64 * kWords bits, the newest in the last bit of the first word; words go backwards. At
// an address that is a multiple of 64, the first word is a word of the payload.
template <unsigned kWords>
class History {
 public:
  History() = default;
  // Reads the bits before bit `end` of the stream; zeros before its beginning.
  History(const BitStream& stream, uint64_t end) noexcept {
    for (uint64_t& word : words_) {
      for (unsigned half = 0; half < 2; ++half) {
        const auto count = static_cast<unsigned>(std::min<uint64_t>(32, end));
        const uint64_t bits = low_bits(stream.peek(end - count), count);
        word |= bits << (32 - count) << (half == 0 ? 32 : 0);
        end -= count;
      }
    }
  }

  uint64_t newest() const noexcept { return words_[0]; }
  const std::array<uint64_t, kWords>& words() const noexcept { return words_; }

  // `bit` has the new bit in the last bit of the word, and all others are 0.
  HERON_INLINE void push(uint64_t bit) noexcept {
    for (unsigned word = kWords - 1; word > 0; --word) {
      words_[word] = words_[word] >> 1 | words_[word - 1] << 63;
    }
    words_[0] = words_[0] >> 1 | bit;
  }

 private:
  std::array<uint64_t, kWords> words_{};
};

// There are two kinds of keys. A Word names a child of a node: it holds the number of a node and,
// below it, the bit of the key that the node tests.
struct NarrowKey {
  using Word = uint32_t;
  using Past = History<1>;
  static constexpr unsigned kTestBits = 6;
  static constexpr unsigned kHistoryBegin = 0;

  NarrowKey() = default;
  HERON_INLINE NarrowKey(const KeyShape& shape, uint64_t address, const Past& past) noexcept
      : bits((address & shape.address_mask()) | (past.newest() & shape.history_mask())) {}

  // Returns twice the node's number, plus one if the bit that the node tests is set.
  HERON_INLINE uint64_t side(Word node) const noexcept {
    uint64_t number = node >> kTestBits;
#if defined(__x86_64__)
    // This takes two instructions less than compilers generate, on the critical path of every
    // level.
    asm("btq %2, %1\n\tadcq %0, %0" : "+r"(number) : "r"(bits), "r"(uint64_t{node}) : "cc");
    return number;
#else
    return 2 * number + (bits >> (node % 64) & 1);
#endif
  }

  uint64_t bits = 0;
};

struct WideKey {
  using Word = uint64_t;
  using Past = History<4>;
  static constexpr unsigned kTestBits = 9;
  static constexpr unsigned kHistoryBegin = 64;

  WideKey() = default;
  HERON_INLINE WideKey(const KeyShape& shape, uint64_t address, const Past& past) noexcept
      : bits{address & shape.address_mask(), past.words()[0], past.words()[1], past.words()[2],
             past.words()[3]} {}

  HERON_INLINE uint64_t side(Word node) const noexcept {
    return 2 * (node >> kTestBits) + (bits[node / 64 % 8] >> (node % 64) & 1);
  }

  std::array<uint64_t, 5> bits{};
};

}  // namespace heron::inline v0::treezip
