// How the original program scores a split. Its choice between nearly equal scores is decided by the
// last bit of a double, so the steps are the same, in the same order (FORMAT section 8), and this
// is compiled without fused multiply-add.
#pragma once

#include <cmath>
#include <cstdint>

namespace heron::inline v0::treezip {

inline double entropy_term(double p) {
  return p == 0 ? 0 : -p * std::log2(p);
}

// Of `ones` among `all` > 0 labels, in bits.
inline double entropy(uint64_t ones, uint64_t all) {
  const double p = static_cast<double>(ones) / static_cast<double>(all);
  return entropy_term(p) + entropy_term(1 - p);
}

// What a split into two parts is worth: the smaller the better.
struct Score {
  double entropy = 0;   // of either part, unweighted, summed in this order: feature 0, feature 1
  uint64_t larger = 0;  // samples of the larger part
  unsigned feature = 0;

  bool operator<(const Score& other) const noexcept {
    if (entropy != other.entropy) return entropy < other.entropy;
    if (larger != other.larger) return larger < other.larger;
    return feature < other.feature;
  }
};

}  // namespace heron::inline v0::treezip
