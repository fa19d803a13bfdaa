// Bit columns computed from a payload's words: the sample of bit k is bit k & 63 of word k >> 6.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "treezip/bits.h"
#include "treezip/word_bits.h"

namespace heron::inline v0::treezip {

// The labels are the payload itself.
struct LabelColumn {
  const std::byte* data;
  uint64_t bytes;

  // Returns any word: zeros outside the payload.
  HERON_INLINE uint64_t operator()(uint64_t word) const {
    uint64_t bits = 0;
    if (word < bytes / 8) [[likely]] {
      std::memcpy(&bits, data + 8 * word, 8);
    } else if (word == bytes / 8 && bytes % 8 != 0) {
      std::memcpy(&bits, data + 8 * word, bytes % 8);
    }
    return bits;
  }
};

// The column of the bit `back` positions before each sample.
struct PreviousColumn {
  LabelColumn labels;
  uint64_t back;

  HERON_INLINE uint64_t operator()(uint64_t word) const {
    const uint64_t newer = word - back / 64;
    const uint64_t shift = back % 64;
    return labels(newer) << shift | labels(newer - 1) >> 1 >> (63 - shift);
  }
};

// The column of an address bit within a word.
struct WithinWordColumn {
  uint64_t pattern;
  HERON_INLINE uint64_t operator()(uint64_t) const { return pattern; }
};
struct WordNumberColumn {
  unsigned bit;
  HERON_INLINE uint64_t operator()(uint64_t word) const { return uint64_t{0} - (word >> bit & 1); }
};

struct PayloadWords {
  LabelColumn labels;
  unsigned feat_addr;
  unsigned feat_prev;

  uint64_t count() const noexcept { return words_of(labels.bytes * 8); }

  // Calls use(column) with the feature's column. An address feature is below 64 + kWordFeatures.
  template <class Use>
  HERON_INLINE void with_column(unsigned feature, const Use& use) const {
    if (feature >= feat_addr) {
      use(PreviousColumn{labels, uint64_t{feature} - feat_addr + 1});
    } else if (feature >= kWordFeatures) {
      use(WordNumberColumn{feature - kWordFeatures});
    } else {
      use(WithinWordColumn{kBitsWith[feature]});
    }
  }

  // Returns the bits of a word that are samples.
  HERON_INLINE uint64_t samples(uint64_t word) const {
    const uint64_t bits = labels.bytes * 8, begin = 64 * word;
    uint64_t mask = ~uint64_t{0};
    if (begin < feat_prev) mask = feat_prev - begin < 64 ? mask << (feat_prev - begin) : 0;
    return bits - begin < 64 ? low_bits(mask, static_cast<unsigned>(bits - begin)) : mask;
  }
};

}  // namespace heron::inline v0::treezip
