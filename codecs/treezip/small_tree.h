// Trees of few samples: a column is one word, and a node takes nanoseconds.
#pragma once

#include <vector>

#include "treezip/column_group.h"
#include "treezip/entropy.h"
#include "treezip/tree_path.h"
#include "treezip/tree_writer.h"

namespace heron::inline v0::treezip {

class SmallTree {
 public:
  static constexpr uint64_t kMostSamples = EntropyCache::kSmall;

  // Of groups with no more candidates than that; `features` is how many there are to branch on.
  SmallTree(unsigned most_candidates, unsigned features, const EntropyCache& entropies,
            TreeWriter& out);

  // Writes the tree of up to kMostSamples samples in dense columns, labels not all the same, of
  // which `path` is the place; leaves its depth and features as they were. False if it finds
  // samples that no feature can tell apart.
  bool write(const Group& group, TreePath& path);

 private:
  struct Node {
    unsigned begin, count;  // of columns_
    unsigned free;          // where nobody's columns are any more
    unsigned samples;
    unsigned depth;
    uint64_t labels;
    bool left_is_leaf;  // of a right node
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
