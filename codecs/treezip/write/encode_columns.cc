// Encodes node by node, left to right. A node has its samples as bit columns, one per feature
// (column_group.h); up to 64 samples are words (small_tree.h). The nodes at the top have too many
// samples for columns and use passes over the payload (payload_columns.h).
#include <algorithm>

#include "base/fail.h"
#include "treezip/options.h"
#include "treezip/write/encode.h"
#include "treezip/write/encode_progress.h"
#include "treezip/write/payload_columns.h"
#include "treezip/write/small_tree.h"

namespace heron::inline v0::treezip {
namespace {

// Groups get columns once they have at most this fraction of the samples, or sooner if their
// columns are small.
constexpr uint64_t kColumnsFraction = 16;

uint64_t most_samples_in_columns(const PayloadColumns& payload, uint64_t small_words) {
  const unsigned columns = Group::kFirstFeature + payload.most_candidates();
  return std::min(payload.samples(),
                  std::max(payload.samples() / kColumnsFraction, small_words * 64 / columns));
}

class ColumnEncoder {
 public:
  ColumnEncoder(const std::string& name, std::span<const std::byte> payload, Shape shape,
                TreeWriter& out, const Context& context, uint64_t small_words)
      : name_(name),
        shape_(shape),
        out_(out),
        context_(context),
        payload_(payload, shape),
        in_columns_(most_samples_in_columns(payload_, small_words)),
        stack_(GroupStack::bytes_for(in_columns_, payload_.most_candidates(), features()), context),
        small_(payload_.most_candidates(), features(), entropies_, out),
        progress_(shape.feat_prev, payload_.bits(), context) {}

  void run() {
    Group group = payload_.all(stack_, context_);
    bool left_is_leaf = false;
    for (;;) {
      while (!write_whole(group, left_is_leaf)) {
        group = branch(group);
        left_is_leaf = false;
      }
      if (waiting_.empty()) return;
      const Waiting& next = waiting_.back();
      group = next.group;
      left_is_leaf = next.left_is_leaf;
      path_.turn_right(next.depth);
      stack_.shrink(next.stack_used);
      waiting_.pop_back();
    }
  }

 private:
  // A right node, which is written after its left sibling.
  struct Waiting {
    Group group;
    unsigned depth;
    bool left_is_leaf;
    uint64_t stack_used;  // when the node is written
  };

  unsigned features() const { return shape_.feat_addr + shape_.feat_prev; }

  // Writes leaves and small groups; returns false for other groups.
  bool write_whole(const Group& group, bool left_is_leaf) {
    if (group.is_leaf()) {
      out_.leaf(group.ones != 0, left_is_leaf);
    } else if (group.candidates.empty()) {
      fail_ambiguous();
    } else if (group.columns == nullptr || group.samples > SmallTree::kMaxSamples) {
      return false;
    } else if (!small_.write(group, path_)) {
      fail_ambiguous();
    }
    progress_.add(group.samples);
    return true;
  }

  // Returns the index of the best candidate.
  unsigned choose(const Group& group) {
    Score best;
    for (unsigned i = 0; i < group.candidates.size(); ++i) {
      const Candidate& by = group.candidates[i];
      const Score score = score_of(entropies_, {group.samples - by.samples, group.ones - by.ones},
                                   {by.samples, by.ones}, i);
      if (score < best) best = score;
    }
    return best.feature;
  }

  // Writes the branch and returns its left part; the right one waits.
  Group branch(Group& group) {
    if (group.columns == nullptr && group.samples <= in_columns_) {
      payload_.make_columns(group, path_, stack_, context_);
      if (group.samples <= SmallTree::kMaxSamples) return group;
    }
    const unsigned chosen = choose(group);
    const unsigned feature = group.candidates[chosen].feature;
    const bool small_value = SmallPart(group, chosen).value;
    const uint64_t stack_used = stack_.used();
    Group small = group.columns == nullptr ? payload_.split(group, chosen, path_, stack_, context_)
                                           : split(group, chosen, stack_);
    out_.branch(path_.index_of(feature), features() - path_.depth());
    path_.go_down(feature);
    const Group& left = small_value ? group : small;
    waiting_.push_back({.group = small_value ? small : group,
                        .depth = path_.depth(),
                        .left_is_leaf = left.is_leaf(),
                        .stack_used = small_value ? stack_.used() : stack_used});
    return left;
  }

  [[noreturn]] void fail_ambiguous() const {
    fail_with_hint(ErrorKind::Argument, kMoreBits, name_, "feat_addr ", shape_.feat_addr,
                   " and feat_prev ", shape_.feat_prev, " cannot tell bits apart that differ");
  }

  const std::string& name_;
  const Shape shape_;
  TreeWriter& out_;
  const Context& context_;
  const PayloadColumns payload_;
  const uint64_t in_columns_;  // groups of more samples have no columns
  GroupStack stack_;
  EntropyCache entropies_;
  SmallTree small_;
  TreePath path_;
  std::vector<Waiting> waiting_;
  EncodeProgress progress_;
};

}  // namespace

void encode_columns(const std::string& name, std::span<const std::byte> payload, Shape shape,
                    TreeWriter& out, const Context& context, uint64_t small_words) {
  ColumnEncoder(name, payload, shape, out, context, small_words).run();
}

}  // namespace heron::inline v0::treezip
