// The samples of a payload too large for columns: each operation on the samples of a path takes a
// pass over the payload.
#pragma once

#include <string>

#include "treezip/write/column_group.h"
#include "treezip/write/encode.h"
#include "treezip/write/payload_words.h"
#include "treezip/write/tree_path.h"

namespace heron::inline v0::treezip {

// Columns of the payload's words: address features are patterns in them, previous bits are earlier
// words.
class PayloadColumns {
 public:
  PayloadColumns(std::span<const std::byte> payload, Shape shape) noexcept
      : payload_(payload), shape_(shape) {}

  uint64_t bits() const noexcept { return payload_.size() * 8; }
  uint64_t samples() const noexcept {
    return bits() > shape_.feat_prev ? bits() - shape_.feat_prev : 0;
  }
  // Returns the number of features that may differ between samples.
  unsigned most_candidates() const noexcept { return address_features() + shape_.feat_prev; }

  // Returns the group of all samples, without columns.
  Group all(GroupStack& stack, const Context& context) const;
  // Splits, as split() in column_group.h does, a group without columns that `path` selects.
  Group split(Group& group, unsigned candidate, const TreePath& path, GroupStack& stack,
              const Context& context) const;
  // Makes columns for the group that `path` selects.
  void make_columns(Group& group, const TreePath& path, GroupStack& stack,
                    const Context& context) const;

 private:
  // Runs the kernel over the payload, a piece at a time.
  template <template <bool> class Kernel>
  void pass(std::span<const TreePath::Step> path, const Group& group, const Context&) const;

  unsigned address_features() const noexcept;
  PayloadWords words() const noexcept;

  std::span<const std::byte> payload_;
  Shape shape_;
};

}  // namespace heron::inline v0::treezip
