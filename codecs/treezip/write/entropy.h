// Computes the original program's score of a split. The last bit of a double decides between nearly
// equal scores, so the steps are the same, in the same order (FORMAT section 8), and entropy.cc is
// compiled without fused multiply-add.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/cpu.h"

namespace heron::inline v0::treezip {

// Returns the entropy of `ones` among `all` > 0 labels, in bits.
double entropy(uint64_t ones, uint64_t all);

// Caches entropy(): nodes of a tree repeat few different arguments. Takes kBytes. One thread at a
// time.
class EntropyCache {
 public:
  static constexpr uint64_t kBytes = uint64_t{256} << 10;

  EntropyCache();

  HERON_INLINE double operator()(uint64_t ones, uint64_t all) {
    return all <= kSmall ? small_[all][ones] : of_many(ones, all);
  }

  // Counts up to this are looked up in row `all` of a table.
  static constexpr uint64_t kSmall = 64;
  using Row = std::array<double, kSmall + 1>;
  const Row& row(uint64_t all) const { return small_[all]; }

 private:
  struct alignas(32) Entry {
    uint64_t ones = 0, all = 0;
    double entropy = 0;
  };
  static constexpr unsigned kIndexBits = 13;
  static_assert(sizeof(Entry) << kIndexBits == kBytes);

  double of_many(uint64_t ones, uint64_t all) {
    // The index is a hash by multiplication; a new entry replaces the old one.
    constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;
    Entry& entry = many_[(ones + all * kGolden) * kGolden >> (64 - kIndexBits)];
    if (entry.ones != ones || entry.all != all) entry = {ones, all, entropy(ones, all)};
    return entry.entropy;
  }

  static const std::array<Row, kSmall + 1>& small_table();

  const std::array<Row, kSmall + 1>& small_;
  std::vector<Entry> many_;
};

// The score of a split: smaller is better. The default is worse than any score.
struct Score {
  double entropy = 3;   // sum of both sides, unweighted
  uint64_t larger = 0;  // samples of the larger side
  unsigned feature = 0;

  bool operator<(const Score& other) const noexcept {
    if (entropy != other.entropy) return entropy < other.entropy;
    if (larger != other.larger) return larger < other.larger;
    return feature < other.feature;
  }
};

struct Side {
  uint64_t samples, ones;
};

// Returns the score of a split by a feature, which is 0 on the left; `entropy` is one of the above.
// The order of the sum matters.
template <class Entropy>
HERON_INLINE Score score_of(Entropy& entropy, Side left, Side right, unsigned feature) {
  return {entropy(left.ones, left.samples) + entropy(right.ones, right.samples),
          std::max(left.samples, right.samples), feature};
}

}  // namespace heron::inline v0::treezip
