// Walks one point down all trees of a mapped forest.
#pragma once

#include <algorithm>
#include <span>

#include "forest/mapped_tree.h"

namespace heron::inline v0 {

// Calls vote(label) for each tree. `trees` are all trees of the forest; `point` has a value per
// feature, and at least one. Several trees are walked at once, so that their cache misses overlap.
// Throws what fail_*() in mapped_tree.h throw.
template <bool kSwapped, class T, class Vote>
void walk_trees(const StoredForest& forest, std::span<const MappedTree> trees, const T* point,
                Vote&& vote) {
  constexpr uint64_t kTreesAtOnce = 16;
  const uint32_t features = forest.feature_count(), classes = forest.class_count();
  for (uint64_t first = 0; first < trees.size(); first += kTreesAtOnce) {
    const MappedTree* some = trees.data() + first;
    const uint64_t count = std::min<uint64_t>(trees.size() - first, kTreesAtOnce);
    uint32_t at[kTreesAtOnce] = {};
    for (uint64_t i = 0; i < count; ++i) {
      if (some[i].nodes == 0) fail_no_nodes(forest, first + i);
    }
    uint64_t inner = 1;  // 0: all are at a leaf
    for (uint32_t step = 0; inner != 0; ++step) {
      inner = 0;
      for (uint64_t i = 0; i < count; ++i) {
        const MappedTree& tree = some[i];
        const uint32_t left = tree.left_of<kSwapped>(at[i]);
        if (left == 0) continue;
        const uint32_t right = tree.right_of<kSwapped>(at[i]);
        const uint8_t feature = tree.feature_of(at[i]);
        if (!leads_on(left, right, tree.nodes, feature, features)) [[unlikely]] {
          fail_inner_node(forest, {first + i, at[i], left, right, feature});
        }
        // Both may be floats: converted to double, they compare the same.
        const bool goes_left = static_cast<double>(point[feature]) < tree.split_of<kSwapped>(at[i]);
        if (step > tree.nodes) [[unlikely]] fail_cycle(forest, first + i, at[i]);
        at[i] = right ^ ((right ^ left) & (0 - static_cast<uint32_t>(goes_left)));
        ++inner;
      }
    }
    for (uint64_t i = 0; i < count; ++i) {
      const uint8_t label = some[i].label_of(at[i]);
      if (label >= classes) [[unlikely]] fail_label(forest, first + i, at[i], label);
      vote(label);
    }
  }
}

}  // namespace heron::inline v0
