// Scores of splits, with the entropies of small counts kept: two logarithms cost more than all else
// that a small node needs.
#pragma once

#include <vector>

#include "base/cpu.h"
#include "treezip/entropy.h"

namespace heron::inline v0::treezip {

class EntropyTable {
 public:
  // Below this many samples entropies are kept; 1 MB.
  static constexpr uint64_t kKept = 512;
  // Up to this many they are there from the start.
  static constexpr uint64_t kReady = 64;

  EntropyTable() : kept_(kKept * (kKept + 1) / 2) {
    for (uint64_t all = 1; all <= kReady; ++all) {
      for (uint64_t ones = 0; ones <= all; ++ones) kept_[place(ones, all)] = entropy(ones, all);
    }
  }

  // all > 0.
  HERON_INLINE double of(uint64_t ones, uint64_t all) {
    if (ones == 0 || ones == all) return 0;
    if (all >= kKept) return entropy(ones, all);
    double& kept = kept_[place(ones, all)];
    if (kept == 0) kept = entropy(ones, all);
    return kept;
  }
  // 0 < all <= kReady.
  HERON_INLINE double ready(uint64_t ones, uint64_t all) const { return kept_[place(ones, all)]; }

 private:
  static constexpr uint64_t place(uint64_t ones, uint64_t all) {
    return all * (all + 1) / 2 + ones;
  }

  std::vector<double> kept_;  // 0: not known yet, or nothing
};

// The first of the best so far, offered in ascending order of features.
class BestSplit {
 public:
  HERON_INLINE void offer(double entropy, uint64_t larger, unsigned index) {
    if (entropy > entropy_ || (entropy == entropy_ && larger >= larger_)) return;
    entropy_ = entropy;
    larger_ = larger;
    index_ = index;
  }
  unsigned index() const noexcept { return index_; }

 private:
  double entropy_ = 3;  // more than any
  uint64_t larger_ = 0;
  unsigned index_ = 0;
};

}  // namespace heron::inline v0::treezip
