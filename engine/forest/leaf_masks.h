// Trees of at most 64 leaves, for many points at once and without walking (the leaf masks of
// QuickScorer, Lucchese et al. 2015, for all nodes in turn): bit i stands for the i-th leaf from
// the left. If a point does not go left at a node, the bits of the node's left subtree are cleared;
// after all nodes, the lowest bit that remains is the leaf that the point reaches. No step depends
// on another, so that a vector of points does a comparison and two bit operations for a node: three
// times as fast as walking.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forest/packed_node.h"

namespace heron::inline v0 {

// Immutable once all trees are added; then thread-safe.
class LeafMasks {
 public:
  static constexpr uint64_t kMaxLeaves = 64, kMaxClasses = 16;
  // The minimum number of points: with fewer, walking is faster.
  static constexpr uint64_t kMinPoints = 8;

  // Adds a tree whose nodes were checked: its features are below `features` and its labels below
  // kMaxClasses. Returns false, and adds nothing, if it has more leaves.
  bool add(std::span<const NarrowNode> nodes);
  bool empty() const noexcept { return trees_.empty(); }
  uint64_t bytes() const noexcept;

  // Adds a vote per tree for each point: votes[point x classes + label]. Keys are in groups, as
  // PackedForest has them.
  void vote(const uint32_t* keys, uint64_t points, uint64_t features, uint64_t classes,
            uint32_t* votes) const;

  // An inner node. The comparison of vectors is signed: the sign bits of all keys are flipped.
  struct Split {
    int32_t key;
    uint32_t feature;
    uint32_t low, high;  // leaves that remain for a point that does not go left
  };
  struct Tree {
    uint32_t low = 0, high = 0;                 // the bits of all leaves
    uint32_t low_end = 0, high_end = 0, end = 0;  // in splits_: splits of low, high, both
    uint32_t label_low[kMaxClasses] = {}, label_high[kMaxClasses] = {};  // the leaves of each class
  };

 private:
  std::vector<Split> splits_;
  std::vector<Tree> trees_;
};

}  // namespace heron::inline v0
