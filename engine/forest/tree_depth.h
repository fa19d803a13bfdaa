// The depth of a packed tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forest/packed_forest.h"

namespace heron::inline v0 {

// The number of steps from the root to the deepest leaf; nullopt if a node is below itself. Keeps 4
// bytes a node.
template <class Node>
std::optional<uint32_t> tree_depth(std::span<const Node> nodes) {
  constexpr uint32_t kUnseen = UINT32_MAX, kAbove = UINT32_MAX - 1;  // the node is being followed
  std::vector<uint32_t> depth(nodes.size(), kUnseen);
  std::vector<uint32_t> path{0};
  while (!path.empty()) {
    const uint32_t at = path.back();
    if (is_leaf(nodes, at)) {
      depth[at] = 0;
      path.pop_back();
      continue;
    }
    const uint32_t child = nodes[at].child();
    if (depth[at] == kUnseen) {
      depth[at] = kAbove;
      for (const uint32_t next : {child, child + 1}) {
        if (depth[next] == kAbove) return std::nullopt;
        if (depth[next] == kUnseen) path.push_back(next);
      }
      continue;
    }
    path.pop_back();
    if (depth[at] == kAbove) depth[at] = 1 + std::max(depth[child], depth[child + 1]);
  }
  return depth[0];
}

}  // namespace heron::inline v0
