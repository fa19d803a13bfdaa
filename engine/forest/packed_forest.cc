#include "forest/packed_forest.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/arena.h"
#include "base/cpu.h"
#include "base/fail.h"
#include "base/parallel.h"
#include "forest/mapped_tree.h"
#include "forest/tree_depth.h"

namespace heron::inline v0 {
namespace {

// Returns the nodes of a tree; copies their arrays if the file is not mapped.
MappedTree nodes_of(const StoredForest& forest, const StoredTree& tree, Arena& arena,
                   const Context& context) {
  const ByteSource& bytes = forest.bytes();
  if (bytes.base() != nullptr) return MappedTree::at(bytes.base(), tree);
  const auto copy = [&](uint64_t offset, uint64_t cell_bytes) {
    const ByteView cells{&bytes, offset, tree.nodes * cell_bytes};
    return window(cells, 0, cells.bytes, 1, arena, context);
  };
  return {copy(tree.left, 4),  copy(tree.right, 4), copy(tree.feature, 1),
          copy(tree.split, tree.is_wide ? 8 : 4), copy(tree.label, 1), tree.nodes,
          tree.is_wide};
}

template <class Node, bool kSwapped>
class Packer {
 public:
  Packer(const StoredForest& forest, uint64_t tree, const MappedTree& nodes)
      : forest_(forest), tree_(tree), nodes_(nodes), pair_of_(nodes.nodes) {}

  std::vector<Node> pack() {
    if (nodes_.nodes == 0) fail_no_nodes(forest_, tree_);
    packed_.reserve(nodes_.nodes);
    packed_.resize(1);
    std::vector<Step> steps{{0, 0}};
    while (!steps.empty()) {
      const Step step = steps.back();
      steps.pop_back();
      place(step, steps);
    }
    // Only a node that is reached twice can be below itself.
    if (has_shared_ && !tree_depth(std::span<const Node>(packed_))) fail_cycle(forest_, tree_, 0);
    return std::move(packed_);
  }

 private:
  struct Step {
    uint32_t node;  // index as stored
    uint32_t slot;  // index in packed_
  };

  void place(Step step, std::vector<Step>& steps) {
    const uint32_t left = nodes_.left_of<kSwapped>(step.node);
    if (left == 0) {
      const uint8_t label = nodes_.label_of(step.node);
      if (label >= forest_.class_count()) fail_label(forest_, tree_, step.node, label);
      packed_[step.slot] = Node(kNoPointIsLess<Key>, step.slot, label);
      return;
    }
    const uint32_t right = nodes_.right_of<kSwapped>(step.node);
    const uint8_t feature = nodes_.feature_of(step.node);
    if (!leads_on(left, right, nodes_.nodes, feature, forest_.feature_count())) {
      fail_inner_node(forest_, {tree_, step.node, left, right, feature});
    }
    uint32_t& pair = pair_of_[step.node];
    if (pair != 0) {
      has_shared_ = true;
    } else {
      if (packed_.size() + 2 > Node::kMaxNodes) {
        fail(ErrorKind::Limit, forest_.bytes().name(), "tree ", tree_, " has more than ",
             Node::kMaxNodes, " nodes");
      }
      pair = static_cast<uint32_t>(packed_.size());
      packed_.resize(packed_.size() + 2);
      steps.push_back({right, pair});
      steps.push_back({left, pair + 1});
    }
    // A node that is its own right child would look like a leaf.
    if (pair == step.slot) fail_cycle(forest_, tree_, step.node);
    const auto split = static_cast<KeyFloat<Key>>(nodes_.split_of<kSwapped>(step.node));
    packed_[step.slot] = Node(split_key<Key>(split), pair, feature);
  }

  using Key = typename Node::Key;

  const StoredForest& forest_;
  const uint64_t tree_;
  const MappedTree& nodes_;
  std::vector<uint32_t> pair_of_;  // index in packed_ of a node's children; 0: not met yet
  std::vector<Node> packed_;
  bool has_shared_ = false;
};

template <class Node>
std::vector<Node> pack(const StoredForest& forest, uint64_t tree, const MappedTree& nodes) {
  return forest.order() == std::endian::native ? Packer<Node, false>(forest, tree, nodes).pack()
                                               : Packer<Node, true>(forest, tree, nodes).pack();
}

// A node that two paths reach may need two slots.
uint64_t max_slots(uint32_t nodes) noexcept { return 2 * uint64_t{nodes} + 1; }

bool is_narrow(const StoredTree& tree) noexcept {
  return !tree.is_wide && max_slots(tree.nodes) <= NarrowNode::kMaxNodes;
}

// Adds the votes of one tree; walks a group of points at once.
template <class Node>
struct Vote {
  using Key = typename Node::Key;

  HERON_INLINE static void run(const Node* nodes, const Key* points, uint64_t count,
                               uint64_t features, uint64_t classes, uint32_t* votes) {
    for (uint64_t first = 0; first < count; first += kGroup) {
      const std::array<uint32_t, kGroup> leaves = walk(nodes, points + first * features);
      const uint64_t some = std::min(kGroup, count - first);
      for (uint64_t i = 0; i < some; ++i) {
        ++votes[(first + i) * classes + nodes[leaves[i]].feature()];
      }
    }
  }

  // Returns the leaf of each point of a group. After eight steps, checks in every second step
  // whether points still move, which takes a sixth less time than in each.
  HERON_INLINE static std::array<uint32_t, kGroup> walk(const Node* nodes, const Key* group) {
    std::array<uint32_t, kGroup> at{};
    for (unsigned i = 0; i < 8; ++i) step(nodes, group, at);
    do {
      step(nodes, group, at);
    } while (step(nodes, group, at) != 0);
    return at;
  }

  // Returns 0 if no point moved.
  HERON_INLINE static uint32_t step(const Node* nodes, const Key* group,
                                    std::array<uint32_t, kGroup>& at) {
    uint32_t moved = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < kGroup; ++i) {
      const Node* node = nodes + at[i];
      const uint32_t next = node->child() + (group[node->feature() * kGroup + i] < node->key);
      moved |= next ^ at[i];
      at[i] = next;
    }
    return moved;
  }
};

// Adds the votes of kTrees trees for one point.
template <class Node, uint64_t kTrees>
HERON_INLINE void walk_one(const std::array<const Node*, kTrees>& trees,
                           const typename Node::Key* point, uint32_t* votes) {
  std::array<uint32_t, kTrees> at{};
  uint32_t moved;
  do {
    moved = 0;
    for (unsigned i = 0; i < kTrees; ++i) {
      const Node node = trees[i][at[i]];
      const uint32_t next = node.child() + (point[node.feature()] < node.key);
      moved |= next ^ at[i];
      at[i] = next;
    }
  } while (moved != 0);
  for (unsigned i = 0; i < kTrees; ++i) ++votes[trees[i][at[i]].feature()];
}

template <class Node>
void vote_one_by(std::span<const PackedForest::Tree> trees, const typename Node::Key* point,
                 uint32_t* votes) {
  constexpr uint64_t kTreesAtOnce = 8;
  std::array<const Node*, kTreesAtOnce> some;
  uint64_t count = 0;
  for (const PackedForest::Tree& tree : trees) {
    const auto* nodes = std::get_if<std::vector<Node>>(&tree);
    if (nodes == nullptr) continue;
    some[count++] = nodes->data();
    if (count < kTreesAtOnce) continue;
    walk_one<Node, kTreesAtOnce>(some, point, votes);
    count = 0;
  }
  for (uint64_t i = 0; i < count; ++i) walk_one<Node, 1>({some[i]}, point, votes);
}

template <class Node>
const typename Node::Key* keys_for(const PointKeys& keys) noexcept {
  if constexpr (std::is_same_v<Node, NarrowNode>) return keys.narrow;
  else return keys.wide;
}

// Prefetches the nodes of a tree in order, so that points do not wait for each node.
template <class Node>
void prefetch(const std::vector<Node>& nodes) noexcept {
  constexpr uint64_t kMaxBytes = uint64_t{1} << 20, kLine = 64;
  const uint64_t bytes = std::min(nodes.size() * sizeof(Node), kMaxBytes);
  const auto* from = reinterpret_cast<const std::byte*>(nodes.data());
  for (uint64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(from + at);
}

}  // namespace

PackedForest::PackedForest(const StoredForest& forest, const Context& context)
    : features_(forest.feature_count()), charge_(context.memory) {
  const uint64_t count = forest.tree_count();
  std::vector<StoredTree> stored;
  stored.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    context.check_cancelled();
    stored.push_back(forest.tree(i, context));
    const bool narrow = is_narrow(stored.back());
    (narrow ? has_narrow_ : has_wide_) = true;
    bytes_ += stored.back().nodes * (narrow ? sizeof(NarrowNode) : sizeof(WideNode));
  }
  charge_.grow_to(bytes_);
  trees_.resize(count);
  parallel_for(count, context, [&](uint64_t i, const Context& one_thread) {
    one_thread.step(0, 1);
    Arena arena(one_thread.memory);
    const MappedTree nodes = nodes_of(forest, stored[i], arena, one_thread);
    if (is_narrow(stored[i])) trees_[i] = pack<NarrowNode>(forest, i, nodes);
    else trees_[i] = pack<WideNode>(forest, i, nodes);
  });
  forest.bytes().check_unchanged();
  mask_small_trees(forest.class_count());
}

void PackedForest::mask_small_trees(uint64_t classes) {
  for (uint32_t i = 0; i < trees_.size(); ++i) {
    const auto* nodes = std::get_if<std::vector<NarrowNode>>(&trees_[i]);
    const bool fits = nodes != nullptr && classes <= LeafMasks::kMaxClasses && masks_.add(*nodes);
    if (!fits) walked_.push_back(i);
  }
  bytes_ += masks_.bytes();
  charge_.grow_to(bytes_);
}

void PackedForest::vote(const PointKeys& keys, uint64_t classes, uint32_t* votes) const {
  const bool by_masks = !masks_.empty() && keys.points >= LeafMasks::kMinPoints;
  if (by_masks) masks_.vote(keys.narrow, keys.points, features_, classes, votes);
  const uint64_t count = by_masks ? walked_.size() : trees_.size();
  for (uint64_t i = 0; i < count; ++i) {
    std::visit(
        [&]<class Node>(const std::vector<Node>& nodes) {
          prefetch(nodes);
          dispatch<Vote<Node>>(nodes.data(), keys_for<Node>(keys), keys.points, features_, classes,
                               votes);
        },
        trees_[by_masks ? walked_[i] : i]);
  }
}

void PackedForest::vote_one(const PointKeys& keys, uint32_t* votes) const {
  if (has_narrow_) vote_one_by<NarrowNode>(trees_, keys.narrow, votes);
  if (has_wide_) vote_one_by<WideNode>(trees_, keys.wide, votes);
}

}  // namespace heron::inline v0
