// Encodes trees of few samples: a column is one word, and a node takes nanoseconds.
#pragma once

#include <vector>

#include "treezip/write/column_group.h"
#include "treezip/write/entropy.h"
#include "treezip/write/tree_path.h"
#include "treezip/write/tree_writer.h"

namespace heron::inline v0::treezip {

class SmallTree {
 public:
  static constexpr uint64_t kMaxSamples = EntropyCache::kSmall;

  // Encodes groups with at most `most_candidates`; `features` is the number of features to branch
  // on.
  SmallTree(unsigned most_candidates, unsigned features, const EntropyCache& entropies,
            TreeWriter& out);

  // Writes the tree of up to kMaxSamples samples in dense columns, with different labels, at the
  // position `path`, whose depth and features are restored. Returns false if no feature
  // distinguishes two samples.
  bool write(const Group& group, TreePath& path);

 private:
  struct Node {
    unsigned begin, count;  // range of columns_
    unsigned free;          // index of the first unused column
    unsigned samples;
    unsigned depth;
    uint64_t labels;
    bool left_is_leaf;  // set in right nodes
    bool is_leaf() const noexcept;
  };
  struct Column {
    uint64_t bits;
    uint64_t feature;
  };
  template <bool>
  struct Run;

  unsigned choose(const Node& node) const;
  template <bool kFast>
  void split(Node& node, Node& right, unsigned chosen);

  const unsigned features_;
  const EntropyCache& entropies_;
  TreeWriter& out_;
  std::vector<Column> columns_;
  std::vector<Node> waiting_;  // right nodes
};

}  // namespace heron::inline v0::treezip
