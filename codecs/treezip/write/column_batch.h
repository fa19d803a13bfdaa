// Picks samples from bit columns, a few hundred words at a time: the words with samples and their
// masks, computed once for all columns.
#pragma once

#include <array>

#include "treezip/word_bits.h"

namespace heron::inline v0::treezip {

// A batch of entries that are appended to a longer list of samples, behind those of earlier
// batches.
class ColumnBatch {
 public:
  static constexpr unsigned kMaximum = 256;

  unsigned size() const noexcept { return size_; }
  bool full() const noexcept { return size_ == kMaximum; }
  HERON_INLINE uint64_t word(unsigned i) const noexcept { return words_[i]; }
  HERON_INLINE uint64_t mask(unsigned i) const noexcept { return masks_[i]; }
  // Returns the number of samples in this batch and the batches before.
  uint64_t samples() const noexcept { return samples_; }

  // Adds the samples in a word. Words ascend, masks are not 0, and the batch is not full.
  HERON_INLINE void add(uint64_t word, uint64_t mask) {
    words_[size_] = word;
    masks_[size_] = mask;
    const uint64_t shift = samples_ % 64;
    const unsigned added = count_ones(mask);
    samples_ += added;
    shifts_[size_] = static_cast<uint8_t>(shift);
    fills_[size_] = shift + added >= 64;
    ++size_;
  }
  // Starts the next batch.
  void clear() noexcept {
    size_ = 0;
    begin_ = samples_;
  }

  // Appends the samples to `to`, which holds those of the earlier batches. `to` may be the column
  // itself: a word is written after everything in it was read.
  template <bool kFast, class Column>
  HERON_INLINE void append(const Column& column, uint64_t* to) const {
    uint64_t* out = to + begin_ / 64;
    uint64_t pending = begin_ % 64 == 0 ? 0 : *out;
    for (unsigned i = 0; i < size_; ++i) {
      const uint64_t bits = extract_bits(column(words_[i]), masks_[i], kFast);
      const unsigned shift = shifts_[i];
      pending |= bits << shift;
      *out = pending;
      pending = fills_[i] ? bits >> 1 >> (63 - shift) : pending;
      out += fills_[i];
    }
    if (samples_ % 64 != 0) *out = pending;
  }

  // Returns how many samples have a 1 in the column.
  template <class Column>
  HERON_INLINE uint64_t count(const Column& column) const {
    uint64_t ones = 0;
    for (unsigned i = 0; i < size_; ++i) {
      ones += count_ones(column(words_[i]) & masks_[i]);
    }
    return ones;
  }

 private:
  unsigned size_ = 0;
  uint64_t begin_ = 0;
  uint64_t samples_ = 0;
  std::array<uint64_t, kMaximum> words_;
  std::array<uint64_t, kMaximum> masks_;
  std::array<uint8_t, kMaximum> shifts_;
  std::array<bool, kMaximum> fills_;  // the sample's last bit is the last of a word, or beyond
};

// A bit column in memory.
struct StoredColumn {
  const uint64_t* words;
  HERON_INLINE uint64_t operator()(uint64_t word) const { return words[word]; }
};

}  // namespace heron::inline v0::treezip
