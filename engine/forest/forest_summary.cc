#include "forest/internals.h"
#include "forest/tree_depth.h"

namespace heron::inline v0 {
namespace {

template <class Node>
void count_nodes(std::span<const Node> nodes, ForestStats& summary) {
  ForestStats::Tree& tree = summary.trees.emplace_back();
  tree.nodes = static_cast<uint32_t>(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (is_leaf(nodes, i)) {
      ++tree.leaves;
      ++summary.leaves_of_class[nodes[i].feature()];
    } else {
      ++summary.splits_of_feature[nodes[i].feature()];
    }
  }
  tree.depth = *tree_depth(nodes);
}

}  // namespace

ForestStats stats(const Forest& forest, const Context& context) {
  const PackedForest& packed = internals(forest).packed(context);
  ForestStats summary;
  summary.splits_of_feature.resize(forest.feature_count());
  summary.leaves_of_class.resize(forest.class_count());
  summary.trees.reserve(packed.trees().size());
  for (const PackedForest::Tree& tree : packed.trees()) {
    context.check_cancelled();
    std::visit([&](const auto& nodes) { count_nodes(std::span(nodes), summary); }, tree);
  }
  return summary;
}

}  // namespace heron::inline v0
