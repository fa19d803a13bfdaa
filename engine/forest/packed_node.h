// The nodes of repacked trees: the children of a node are neighbours, the left one behind the right
// one, so that a step is a comparison and an addition.
#pragma once

#include <cstdint>
#include <span>

#include "forest/order_keys.h"

namespace heron::inline v0 {

// A node of a tree whose split values are floats and that has at most 2^24 nodes. An inner node has
// its split key, feature, and the index of its children. A leaf has kNoPointIsLess, its label as
// the feature, and itself as its child, so that no point leaves it.
struct NarrowNode {
  using Key = uint32_t;
  static constexpr uint64_t kMaxNodes = uint64_t{1} << 24;

  NarrowNode() = default;
  NarrowNode(Key split, uint32_t child, uint8_t feature) : key(split), rest(child << 8 | feature) {}
  HERON_INLINE uint32_t child() const noexcept { return rest >> 8; }
  HERON_INLINE uint8_t feature() const noexcept { return static_cast<uint8_t>(rest); }

  Key key;
  uint32_t rest;
};

// A node of any other tree.
struct WideNode {
  using Key = uint64_t;
  static constexpr uint64_t kMaxNodes = uint64_t{1} << 32;

  WideNode() = default;
  WideNode(Key split, uint32_t child, uint8_t feature)
      : key(split), child_number(child), feature_number(feature) {}
  HERON_INLINE uint32_t child() const noexcept { return child_number; }
  HERON_INLINE uint8_t feature() const noexcept { return static_cast<uint8_t>(feature_number); }

  Key key;
  uint32_t child_number;
  uint32_t feature_number;
};

// Keys of many points are in groups of kGroup points: a group has kGroup keys of the first feature,
// one per point, then those of the next.
inline constexpr uint64_t kGroup = 8;

template <class Node>
bool is_leaf(std::span<const Node> nodes, uint32_t at) noexcept {
  return nodes[at].child() == at;
}

}  // namespace heron::inline v0
