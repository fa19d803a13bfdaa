// The nodes of one tree in memory as they are stored, read with checks.
#pragma once

#include <bit>
#include <cstdint>

#include "bytes/view_reader.h"
#include "format/stored_forest.h"
#include "values/byte_order.h"
#include "values/cells.h"

namespace heron::inline v0 {

// The arrays of a tree in memory. The bytes may change while they are read: each cell is loaded
// once and checked as loaded.
struct MappedTree {
  const std::byte* left = nullptr;
  const std::byte* right = nullptr;
  const std::byte* feature = nullptr;
  const std::byte* split = nullptr;
  const std::byte* label = nullptr;
  uint32_t nodes = 0;
  bool is_wide = false;

  // `base`: the address of byte 0 of the file.
  static MappedTree at(const std::byte* base, const StoredTree& tree) noexcept {
    return {base + tree.left,  base + tree.right, base + tree.feature, base + tree.split,
            base + tree.label, tree.nodes,        tree.is_wide};
  }

  template <bool kSwapped>
  HERON_INLINE uint32_t left_of(uint32_t node) const noexcept {
    return load<kSwapped, uint32_t>(left, node);
  }
  template <bool kSwapped>
  HERON_INLINE uint32_t right_of(uint32_t node) const noexcept {
    return load<kSwapped, uint32_t>(right, node);
  }
  HERON_INLINE uint8_t feature_of(uint32_t node) const noexcept {
    return load<false, uint8_t>(feature, node);
  }
  HERON_INLINE uint8_t label_of(uint32_t node) const noexcept {
    return load<false, uint8_t>(label, node);
  }
  template <bool kSwapped>
  HERON_INLINE double split_of(uint32_t node) const noexcept {
    if (is_wide) return std::bit_cast<double>(load<kSwapped, uint64_t>(split, node));
    return std::bit_cast<float>(load<kSwapped, uint32_t>(split, node));
  }

 private:
  template <bool kSwapped, class T>
  HERON_INLINE static T load(const std::byte* cells, uint64_t i) noexcept {
    const T value = loaded_once(load_cell<T>(cells, i));
    return kSwapped ? byte_reversed(value) : value;
  }
};

// Returns whether an inner node is valid: both children are nodes and not the root, and points have
// the feature.
HERON_INLINE bool leads_on(uint32_t left, uint32_t right, uint32_t nodes, uint8_t feature,
                           uint32_t features) noexcept {
  return (left < nodes) & (right != 0) & (right < nodes) & (feature < features);
}

// The functions below throw Error(Corrupt), or Error(Changed), that names tree and node: for an
// inner node that does not lead on, a leaf whose label no class has, a path that comes back to a
// node, a tree without nodes.
struct FoundNode {
  uint64_t tree = 0;
  uint32_t node = 0, left = 0, right = 0;
  uint8_t feature = 0;
};
[[noreturn]] void fail_inner_node(const StoredForest& forest, const FoundNode& found);
[[noreturn]] void fail_label(const StoredForest& forest, uint64_t tree, uint32_t node,
                             uint8_t label);
[[noreturn]] void fail_cycle(const StoredForest& forest, uint64_t tree, uint32_t node);
[[noreturn]] void fail_no_nodes(const StoredForest& forest, uint64_t tree);

}  // namespace heron::inline v0
