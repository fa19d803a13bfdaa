#include "treezip/write/small_tree.h"

#include "treezip/bits.h"
#include "treezip/word_bits.h"

namespace heron::inline v0::treezip {

HERON_INLINE bool SmallTree::Node::is_leaf() const noexcept {
  return labels == 0 || labels == low_bits(~uint64_t{0}, samples);
}

// Returns the index, among the node's columns, of the best of at least one candidate.
HERON_INLINE unsigned SmallTree::choose(const Node& node) const {
  const Column* columns = columns_.data() + node.begin;
  const unsigned all_ones = count_ones(node.labels);
  const auto entropy = [this](uint64_t of_ones, uint64_t all) {
    return entropies_.row(all)[of_ones];
  };
  Score best;
  for (unsigned i = 0; i < node.count; ++i) {
    const unsigned samples = count_ones(columns[i].bits);
    const unsigned ones = count_ones(columns[i].bits & node.labels);
    const Score score =
        score_of(entropy, {node.samples - samples, all_ones - ones}, {samples, ones}, i);
    if (score < best) best = score;
  }
  return best.feature;
}

// Splits a node, which becomes its left part, with its columns; the columns of the right part
// follow the waiting ones.
template <bool kFast>
HERON_INLINE void SmallTree::split(Node& node, Node& right, unsigned chosen) {
  const uint64_t ones = columns_[node.begin + chosen].bits;
  const uint64_t zeros = low_bits(~ones, node.samples);
  Column* from = columns_.data() + node.begin;
  const unsigned count = node.count;
  right.begin = node.free;
  right.count = 0;
  right.samples = count_ones(ones);
  right.labels = extract_bits(node.labels, ones, kFast);
  node.count = 0;
  node.samples -= right.samples;
  node.labels = extract_bits(node.labels, zeros, kFast);
  if (node.is_leaf() && right.is_leaf()) return;
  const uint64_t all_left = low_bits(~uint64_t{0}, node.samples);
  const uint64_t all_right = low_bits(~uint64_t{0}, right.samples);
  Column* left_to = from;
  Column* right_to = columns_.data() + node.free;
  for (unsigned i = 0; i < count; ++i) {  // the chosen column is constant in both
    const Column column = from[i];
    const uint64_t left_bits = extract_bits(column.bits, zeros, kFast);
    const uint64_t right_bits = extract_bits(column.bits, ones, kFast);
    *left_to = {left_bits, column.feature};
    left_to += left_bits != 0 && left_bits != all_left;
    *right_to = {right_bits, column.feature};
    right_to += right_bits != 0 && right_bits != all_right;
  }
  node.count = static_cast<unsigned>(left_to - from);
  node.free = right.free = static_cast<unsigned>(right_to - columns_.data());
  right.count = right.free - right.begin;
}

template <bool kFast>
struct SmallTree::Run {
  HERON_INLINE static bool run(SmallTree* tree, Node node, TreePath* path) {
    for (;;) {
      while (!node.is_leaf()) {
        if (node.count == 0) return false;
        const unsigned chosen = tree->choose(node);
        const auto feature = static_cast<unsigned>(tree->columns_[node.begin + chosen].feature);
        tree->out_.branch(path->index_of(feature), tree->features_ - path->depth());
        path->go_down(feature);
        Node right;
        tree->split<kFast>(node, right, chosen);
        node.depth = right.depth = path->depth();
        node.left_is_leaf = false;
        right.left_is_leaf = node.is_leaf();
        tree->waiting_.push_back(right);
      }
      tree->out_.leaf((node.labels & 1) != 0, node.left_is_leaf);
      if (tree->waiting_.empty()) return true;
      node = tree->waiting_.back();
      tree->waiting_.pop_back();
      path->turn_right(node.depth);
    }
  }
};

// A branch removes at least one sample, which limits the depth; each level leaves the columns of
// one part waiting, and the parts of the last level follow.
SmallTree::SmallTree(unsigned most_candidates, unsigned features, const EntropyCache& entropies,
                     TreeWriter& out)
    : features_(features),
      entropies_(entropies),
      out_(out),
      columns_((kMaxSamples + 1) * (most_candidates + 1)) {
  waiting_.reserve(kMaxSamples);
}

bool SmallTree::write(const Group& group, TreePath& path) {
  unsigned count = 0;
  for (const Candidate& candidate : group.candidates) {
    columns_[count++] = {*group.column(candidate.column), candidate.feature};
  }
  const Node root{.begin = 0,
                  .count = count,
                  .free = count,
                  .samples = static_cast<unsigned>(group.samples),
                  .depth = path.depth(),
                  .labels = *group.column(Group::kLabels),
                  .left_is_leaf = false};
  return dispatch_bits<Run>(this, root, &path);
}

}  // namespace heron::inline v0::treezip
