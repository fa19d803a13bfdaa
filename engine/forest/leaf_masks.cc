#include "forest/leaf_masks.h"

#include <algorithm>
#include <array>

#include "base/cpu.h"

namespace heron::inline v0 {
namespace {

constexpr uint32_t kSign = uint32_t{1} << 31;
constexpr uint64_t kLanes = kGroup, kVectors = 4, kPointsAtOnce = kLanes * kVectors;

using Lanes = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));
using Bits = uint32_t __attribute__((vector_size(kLanes * sizeof(uint32_t))));
using LanesInMemory =
    int32_t __attribute__((vector_size(kLanes * sizeof(int32_t)), aligned(4), may_alias));

// The inner nodes of a tree with their masks, and its leaves.
class MaskedTree {
 public:
  explicit MaskedTree(std::span<const NarrowNode> nodes) : nodes_(nodes) {}

  // Visits the nodes below one, which are fewer than 2 x kMaxLeaves. Returns false if there are too
  // many leaves.
  bool visit(uint32_t at) {
    if (is_leaf(nodes_, at)) {
      if (leaves_ == LeafMasks::kMaxLeaves) return false;
      labels[nodes_[at].feature()] |= uint64_t{1} << leaves_++;
      return true;
    }
    const uint64_t before = bits();
    const uint32_t child = nodes_[at].child();
    if (!visit(child + 1)) return false;
    const uint64_t left = ~(bits() ^ before);
    splits.push_back({static_cast<int32_t>(nodes_[at].key ^ kSign), nodes_[at].feature(),
                      static_cast<uint32_t>(left), static_cast<uint32_t>(left >> 32)});
    return visit(child);
  }
  uint64_t bits() const noexcept {
    return leaves_ == 64 ? ~uint64_t{0} : (uint64_t{1} << leaves_) - 1;
  }

  std::vector<LeafMasks::Split> splits;
  std::array<uint64_t, LeafMasks::kMaxClasses> labels{};

 private:
  std::span<const NarrowNode> nodes_;
  uint64_t leaves_ = 0;
};

// Returns 0 if a split changes only low, 1 if only high, 2 if both.
int part_of(const LeafMasks::Split& split) noexcept {
  if (split.high == UINT32_MAX) return 0;
  return split.low == UINT32_MAX ? 1 : 2;
}

// Counts the votes for kPointsAtOnce points.
struct MaskVotes {
  using Split = LeafMasks::Split;

  // keys[feature x kPointsAtOnce + point]; votes[class x kPointsAtOnce + point].
  HERON_INLINE static void run(const LeafMasks::Tree* trees, uint64_t count, const Split* splits,
                               const int32_t* keys, uint64_t classes, int32_t* votes) {
    Lanes misses[LeafMasks::kMaxClasses][kVectors] = {};  // minus the trees that vote for another
    const Split* split = splits;
    for (const LeafMasks::Tree* tree = trees; tree != trees + count; ++tree) {
      Bits low[kVectors], high[kVectors];
      for (uint64_t i = 0; i < kVectors; ++i) {
        low[i] = Bits{} + tree->low;
        high[i] = Bits{} + tree->high;
      }
      for (; split != splits + tree->low_end; ++split) apply(*split, split->low, keys, low);
      for (; split != splits + tree->high_end; ++split) apply(*split, split->high, keys, high);
      for (; split != splits + tree->end; ++split) {
        apply(*split, split->low, keys, low);
        apply(*split, split->high, keys, high);
      }
      for (uint64_t i = 0; i < kVectors; ++i) {  // keeps only the lowest bit
        high[i] &= -high[i] & __builtin_convertvector(low[i] == 0, Bits);
        low[i] &= -low[i];
      }
      for (uint64_t label = 0; label < classes; ++label) {
        const Bits of_low = Bits{} + tree->label_low[label];
        const Bits of_high = Bits{} + tree->label_high[label];
        for (uint64_t i = 0; i < kVectors; ++i) {
          misses[label][i] += ((low[i] & of_low) | (high[i] & of_high)) == 0;
        }
      }
    }
    for (uint64_t label = 0; label < classes; ++label) {
      for (uint64_t i = 0; i < kVectors; ++i) {
        for (uint64_t lane = 0; lane < kLanes; ++lane) {
          votes[label * kPointsAtOnce + i * kLanes + lane] =
              static_cast<int32_t>(count) + misses[label][i][lane];
        }
      }
    }
  }

  HERON_INLINE static void apply(const Split& split, uint32_t mask, const int32_t* keys,
                                 Bits* bits) {
    const Lanes key = Lanes{} + split.key;
    const Bits left = Bits{} + mask;
    const auto* points =
        reinterpret_cast<const LanesInMemory*>(keys + split.feature * kPointsAtOnce);
    for (uint64_t i = 0; i < kVectors; ++i) {
      bits[i] &= __builtin_convertvector(key > points[i], Bits) | left;
    }
  }
};

}  // namespace

bool LeafMasks::add(std::span<const NarrowNode> nodes) {
  // A node that two paths reach may stand for more leaves than there are nodes.
  if (nodes.size() >= 2 * kMaxLeaves) return false;
  MaskedTree masked(nodes);
  if (!masked.visit(0)) return false;
  std::ranges::stable_sort(masked.splits, {}, part_of);
  const auto parts = [&](int part) {
    return static_cast<uint32_t>(std::ranges::count(masked.splits, part, part_of));
  };
  Tree tree;
  tree.low = static_cast<uint32_t>(masked.bits());
  tree.high = static_cast<uint32_t>(masked.bits() >> 32);
  tree.low_end = static_cast<uint32_t>(splits_.size()) + parts(0);
  tree.high_end = tree.low_end + parts(1);
  tree.end = tree.high_end + parts(2);
  for (uint64_t label = 0; label < kMaxClasses; ++label) {
    tree.label_low[label] = static_cast<uint32_t>(masked.labels[label]);
    tree.label_high[label] = static_cast<uint32_t>(masked.labels[label] >> 32);
  }
  splits_.insert(splits_.end(), masked.splits.begin(), masked.splits.end());
  trees_.push_back(tree);
  return true;
}

uint64_t LeafMasks::bytes() const noexcept {
  return splits_.size() * sizeof(Split) + trees_.size() * sizeof(Tree);
}

void LeafMasks::vote(const uint32_t* keys, uint64_t points, uint64_t features, uint64_t classes,
                     uint32_t* votes) const {
  std::vector<int32_t> columns(std::max<uint64_t>(features, 1) * kPointsAtOnce);
  std::vector<int32_t> counts(classes * kPointsAtOnce);
  for (uint64_t first = 0; first < points; first += kPointsAtOnce) {
    const uint64_t count = std::min(points - first, kPointsAtOnce);
    const uint32_t* from = keys + first * features;
    for (uint64_t group = 0; group * kLanes < count; ++group) {
      for (uint64_t i = 0; i < features; ++i, from += kLanes) {
        int32_t* to = columns.data() + i * kPointsAtOnce + group * kLanes;
        for (uint64_t lane = 0; lane < kLanes; ++lane) {
          to[lane] = static_cast<int32_t>(from[lane] ^ kSign);
        }
      }
    }
    dispatch<MaskVotes>(trees_.data(), trees_.size(), splits_.data(), columns.data(), classes,
                        counts.data());
    for (uint64_t point = 0; point < count; ++point) {
      for (uint64_t label = 0; label < classes; ++label) {
        votes[(first + point) * classes + label] +=
            static_cast<uint32_t>(counts[label * kPointsAtOnce + point]);
      }
    }
  }
}

}  // namespace heron::inline v0
