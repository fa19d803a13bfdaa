#include "balsa/tree_rules.h"

#include <cstring>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0::balsa {
namespace {

enum class Way : uint8_t { Unseen, Left /* being followed */, Right, Done };

}  // namespace

std::string TreeRules::check(const NodeBlock& block) {
  for (uint64_t i = 0; i < block.count; ++i) {
    const uint64_t node = block.first + i;
    const uint32_t left = block.left[i], right = block.right[i];
    if (block.label[i] >= class_count_) {
      return broken(node, "a label", block.label[i], 0, class_count_);
    }
    if (left == 0) {
      ++leaves_;
      continue;
    }
    if (left >= nodes_) return broken(node, "a left child", left, 1, nodes_);
    if (right == 0 || right >= nodes_) return broken(node, "a right child", right, 1, nodes_);
    if (block.feature[i] >= feature_count_) {
      return broken(node, "a split feature", block.feature[i], 0, feature_count_);
    }
    forward_ &= left > node && right > node;
  }
  return {};
}

// If every child follows its parent, no walk returns to a node. Otherwise check_paths() follows all
// paths, each node once, with the path to the current node on a stack.
std::string TreeRules::check_paths(const uint32_t* left, const uint32_t* right,
                                   Arena& arena) const {
  auto* ways = arena.allocate_array<Way>(nodes_);
  std::memset(ways, 0, nodes_);
  auto* stack = arena.allocate_array<uint32_t>(nodes_);  // no node is on the stack twice
  uint64_t depth = 1;
  stack[0] = 0;
  while (depth > 0) {
    const uint32_t node = stack[depth - 1];
    Way& way = ways[node];
    if (left[node] == 0 || way == Way::Right) {
      way = Way::Done;
      --depth;
      continue;
    }
    const uint32_t child = way == Way::Unseen ? left[node] : right[node];
    // The child is checked again, because these arrays may be another copy than the checked one.
    if (child >= nodes_) return broken(node, "a child", child, 1, nodes_);
    way = way == Way::Unseen ? Way::Left : Way::Right;
    if (ways[child] == Way::Unseen) {
      stack[depth++] = child;
    } else if (ways[child] != Way::Done) {
      return concat("node ", node, ": expected a child that is not above it, got node ", child);
    }
  }
  return {};
}

std::string TreeRules::broken(uint64_t node, std::string_view what, uint32_t got, uint32_t least,
                              uint32_t end) {
  if (least >= end) return concat("node ", node, ": expected no node with ", what, ", got ", got);
  return concat("node ", node, ": expected ", what, " from ", least, " to ", end - 1, ", got ",
                got);
}

}  // namespace heron::inline v0::balsa
