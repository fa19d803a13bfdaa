// The branches above a node, as an encoder goes down and comes back.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "treezip/layout.h"

namespace heron::inline v0::treezip {

class TreePath {
 public:
  struct Step {
    uint16_t feature;
    bool value;
  };

  unsigned depth() const noexcept { return depth_; }
  std::span<const Step> steps() const noexcept { return std::span(steps_).first(depth_); }

  // How many features smaller than this one are left.
  unsigned index_of(unsigned feature) const noexcept {
    unsigned index = feature;
    for (unsigned word = 0; word < feature / 64; ++word) index -= count(used_[word]);
    return index - count(used_[feature / 64] & ((uint64_t{1} << feature % 64) - 1));
  }
  // To the left.
  void go_down(unsigned feature) noexcept {
    steps_[depth_++] = {static_cast<uint16_t>(feature), false};
    used_[feature / 64] |= uint64_t{1} << feature % 64;
  }
  // Back to a node at `depth` > 0 that is the right one of its parent's.
  void turn_right(unsigned depth) noexcept {
    while (depth_ > depth) {
      const unsigned feature = steps_[--depth_].feature;
      used_[feature / 64] &= ~(uint64_t{1} << feature % 64);
    }
    steps_[depth - 1].value = true;
  }

 private:
  static unsigned count(uint64_t word) noexcept {
    return static_cast<unsigned>(std::popcount(word));
  }

  std::array<uint64_t, (kMostFeatures + 63) / 64> used_{};
  std::array<Step, kMostFeatures> steps_;
  unsigned depth_ = 0;
};

}  // namespace heron::inline v0::treezip
