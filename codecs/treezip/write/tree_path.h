// The branches above a node, while an encoder descends and returns.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "treezip/bits.h"
#include "treezip/layout.h"
#include "treezip/word_bits.h"

namespace heron::inline v0::treezip {

class TreePath {
 public:
  struct Step {
    uint16_t feature;
    bool value;
  };

  unsigned depth() const noexcept { return depth_; }
  std::span<const Step> steps() const noexcept { return std::span(steps_).first(depth_); }

  // Returns how many unused features are smaller than this one.
  unsigned index_of(unsigned feature) const noexcept {
    unsigned index = feature;
    for (unsigned word = 0; word < feature / 64; ++word) index -= count_ones(used_[word]);
    return index - count_ones(low_bits(used_[feature / 64], feature % 64));
  }
  // Moves to the left side of a branch on the feature.
  void go_down(unsigned feature) noexcept {
    steps_[depth_++] = {static_cast<uint16_t>(feature), false};
    used_[feature / 64] |= uint64_t{1} << feature % 64;
  }
  // Moves to a node at `depth` > 0 that is the right child of its parent.
  void turn_right(unsigned depth) noexcept {
    while (depth_ > depth) {
      const unsigned feature = steps_[--depth_].feature;
      used_[feature / 64] &= ~(uint64_t{1} << feature % 64);
    }
    steps_[depth - 1].value = true;
  }

 private:
  std::array<uint64_t, words_of(kMaxFeatures)> used_{};
  std::array<Step, kMaxFeatures> steps_;
  unsigned depth_ = 0;
};

}  // namespace heron::inline v0::treezip
