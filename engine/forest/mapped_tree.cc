#include "forest/mapped_tree.h"

#include "base/fail.h"

namespace heron::inline v0 {
namespace {

template <class... Parts>
[[noreturn]] void fail_tree(const StoredForest& forest, uint64_t tree, const Parts&... parts) {
  forest.bytes().check_lost();
  fail(ErrorKind::Corrupt, forest.bytes().name(), "tree ", tree, " at byte ",
       forest.tree(tree, {}).offset, ": ", parts...);
}

[[noreturn]] void fail_cell(const StoredForest& forest, const FoundNode& found,
                            std::string_view what, uint64_t got, uint64_t first, uint64_t end) {
  if (first >= end) {
    fail_tree(forest, found.tree, "node ", found.node, ": expected no ", what, ", got ", got);
  }
  fail_tree(forest, found.tree, "node ", found.node, ": expected a ", what, " from ", first, " to ",
            end - 1, ", got ", got);
}

}  // namespace

void fail_inner_node(const StoredForest& forest, const FoundNode& found) {
  const uint32_t nodes = forest.tree(found.tree, {}).nodes;
  if (found.left >= nodes) fail_cell(forest, found, "left child", found.left, 1, nodes);
  if (found.right == 0 || found.right >= nodes) {
    fail_cell(forest, found, "right child", found.right, 1, nodes);
  }
  fail_cell(forest, found, "split feature", found.feature, 0, forest.feature_count());
}

void fail_label(const StoredForest& forest, uint64_t tree, uint32_t node, uint8_t label) {
  fail_cell(forest, {tree, node}, "label", label, 0, forest.class_count());
}

void fail_cycle(const StoredForest& forest, uint64_t tree, uint32_t node) {
  fail_tree(forest, tree, "node ", node,
            ": expected a child that is not above it: the path from the root comes back to it");
}

void fail_no_nodes(const StoredForest& forest, uint64_t tree) {
  fail_tree(forest, tree, "expected at least 1 node, got 0");
}

}  // namespace heron::inline v0
