// The features that no branch above a node has used: F of the grammar, as a mask.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "treezip/word_bits.h"

namespace heron::inline v0::treezip {

// Returns the number of bits of an index into a list of `count` features, count > 0.
constexpr unsigned index_bits(unsigned count) {
  return static_cast<unsigned>(std::bit_width(count - 1));
}

// A set of up to 64 * kWords features.
template <unsigned kWords>
class FeatureSet {
 public:
  // Makes the set of features 0 .. count - 1.
  explicit FeatureSet(unsigned count) noexcept {
    for (unsigned word = 0; word < kWords; ++word) {
      const unsigned first = 64 * word;
      if (count > first) {
        words_[word] = count - first >= 64 ? ~uint64_t{0} : (uint64_t{1} << (count - first)) - 1;
      }
    }
  }

  // Returns the feature at `index` in ascending order; index is below the set's size.
  HERON_INLINE unsigned at(unsigned index, bool has_pdep) const noexcept {
    if constexpr (kWords == 1) {
      return select_bit(words_[0], index, has_pdep);
    } else {
      for (unsigned word = 0; word < kWords - 1; ++word) {
        const unsigned here = count_ones(words_[word]);
        if (index < here) return 64 * word + select_bit(words_[word], index, has_pdep);
        index -= here;
      }
      return 64 * (kWords - 1) + select_bit(words_[kWords - 1], index, has_pdep);
    }
  }
  HERON_INLINE void remove(unsigned feature) noexcept {
    words_[kWords == 1 ? 0 : feature / 64] &= ~(uint64_t{1} << feature % 64);
  }
  HERON_INLINE void add(unsigned feature) noexcept {
    words_[kWords == 1 ? 0 : feature / 64] |= uint64_t{1} << feature % 64;
  }
  // Returns the features below 64.
  HERON_INLINE uint64_t lowest() const noexcept { return words_[0]; }

 private:
  std::array<uint64_t, kWords> words_{};
};

}  // namespace heron::inline v0::treezip
