// All nodes of a forest, checked and repacked for many points (packed_node.h); small trees also as
// masks of leaves (leaf_masks.h).
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "forest/leaf_masks.h"
#include "forest/packed_node.h"
#include "format/stored_forest.h"
#include "rows/charge.h"

namespace heron::inline v0 {

// Points as keys, for vote() in groups. A leaf's label is loaded as if it were a feature: behind
// the last group are kKeysBehind more keys, of any value.
inline constexpr uint64_t kKeysBehind = 256 * kGroup;
struct PointKeys {
  const uint32_t* narrow = nullptr;  // null unless the forest has_narrow()
  const uint64_t* wide = nullptr;    // null unless it has_wide()
  uint64_t points = 0;               // the last group may have fewer than kGroup
};
inline uint64_t key_count(uint64_t points, uint64_t features) noexcept {
  return (points + kGroup - 1) / kGroup * kGroup * features + kKeysBehind;
}
HERON_INLINE uint64_t key_index(uint64_t point, uint64_t feature, uint64_t features) noexcept {
  return (point / kGroup * features + feature) * kGroup + point % kGroup;
}

// Immutable, thread-safe.
class PackedForest {
 public:
  using Tree = std::variant<std::vector<NarrowNode>, std::vector<WideNode>>;

  // Reads and checks all nodes that a root reaches, on the Context's threads; a node that two paths
  // reach stays one node. Charges the Context's budget. Throws Error: Corrupt (mapped_tree.h),
  // Limit.
  PackedForest(const StoredForest& forest, const Context& context);

  std::span<const Tree> trees() const noexcept { return trees_; }
  bool has_narrow() const noexcept { return has_narrow_; }
  bool has_wide() const noexcept { return has_wide_; }
  uint64_t bytes() const noexcept { return bytes_; }

  // Adds a vote per tree for each point: votes[point x classes + label].
  void vote(const PointKeys& keys, uint64_t classes, uint32_t* votes) const;
  // Adds the votes for one point, whose keys are contiguous, kOnePointKeys in all.
  static constexpr uint64_t kOnePointKeys = 256;
  void vote_one(const PointKeys& keys, uint32_t* votes) const;

 private:
  const uint64_t features_;
  Charge charge_;
  void mask_small_trees(uint64_t classes);

  std::vector<Tree> trees_;
  LeafMasks masks_;
  std::vector<uint32_t> walked_;  // indices of the trees that masks_ does not have
  bool has_narrow_ = false, has_wide_ = false;
  uint64_t bytes_ = 0;
};

}  // namespace heron::inline v0
