// The rules that the nodes of a tree obey, so that a walk down from the root is safe. They are the
// same for trees that are read and for trees that are written.
// - Every label is below class_count.
// - Every inner node splits on a feature below feature_count and has two children that are nodes
//   and not the root.
// - No walk down from the root reaches a node twice. Two paths may lead to one node: nodes that
//   are unreachable, or reachable twice, are harmless.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/arena.h"

namespace heron::inline v0::balsa {

// The arrays of consecutive nodes, in the byte order of the machine.
struct NodeBlock {
  uint64_t first;  // the first node
  uint64_t count;
  const uint32_t* left;
  const uint32_t* right;
  const uint8_t* feature;
  const uint8_t* label;
};

// Checks one tree, block by block in order. Calls return the text of the first fault, which begins
// with its node; empty if there is none.
class TreeRules {
 public:
  TreeRules(uint32_t nodes, uint32_t class_count, uint32_t feature_count)
      : nodes_(nodes), class_count_(class_count), feature_count_(feature_count) {}

  std::string check(const NodeBlock& block);
  // Returns whether check_paths() has to follow after all blocks, because a child precedes its
  // parent (known writers never do that).
  bool needs_paths() const noexcept { return !forward_; }
  // Takes 5 bytes of memory per node from the arena.
  std::string check_paths(const uint32_t* left, const uint32_t* right, Arena& arena) const;

  uint64_t leaves() const noexcept { return leaves_; }

 private:
  static std::string broken(uint64_t node, std::string_view what, uint32_t got, uint32_t least,
                            uint32_t end);

  uint32_t nodes_, class_count_, feature_count_;
  uint64_t leaves_ = 0;
  bool forward_ = true;
};

}  // namespace heron::inline v0::balsa
