// The trees of an ensemble, or one that stands alone, as tables share them.
#pragma once

#include <mutex>

#include "balsa/objects.h"
#include "columns/runs.h"

namespace heron::inline v0::balsa {

// Immutable, thread-safe. The bytes outlive it.
class Forest {
 public:
  Forest(const ByteSource& bytes, std::endian order, Ensemble ensemble);
  Forest(const Forest&) = delete;
  Forest& operator=(const Forest&) = delete;

  const ByteSource& bytes() const noexcept { return bytes_; }
  std::endian order() const noexcept { return order_; }
  uint64_t class_count() const noexcept { return ensemble_.class_count; }
  uint64_t feature_count() const noexcept { return ensemble_.feature_count; }
  const std::vector<Tree>& trees() const noexcept { return ensemble_.trees; }

  // All trees' nodes, and which are a tree's.
  uint64_t nodes() const noexcept { return nodes_; }
  const std::shared_ptr<const Runs>& runs() const noexcept { return runs_; }

  // A tree whose tables fit each other; throws its damage if they do not.
  const Tree& whole(uint64_t tree) const;
  bool is_damaged() const noexcept { return is_damaged_; }  // whether there is another kind
  // The number of its leaves. Throws Error(Corrupt) unless the tree is whole and its nodes keep
  // check_tree()'s promises, which is found out at the first call for this tree.
  uint64_t leaves(uint64_t tree, const Context& context) const;

 private:
  struct Checked {
    std::once_flag once;
    uint64_t leaves = 0;
    std::unique_ptr<const Error> error;
  };

  const ByteSource& bytes_;
  std::endian order_;
  Ensemble ensemble_;
  uint64_t nodes_ = 0;
  bool is_damaged_ = false;
  std::shared_ptr<const Runs> runs_;
  mutable std::once_flag checks_once_;
  mutable std::vector<Checked> checks_;  // one a tree, there from the first call of leaves() on
};

}  // namespace heron::inline v0::balsa
