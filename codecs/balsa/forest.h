// The trees of an ensemble, or a single tree, shared by its tables.
#pragma once

#include "balsa/objects.h"
#include "base/once.h"
#include "columns/runs.h"
#include "format/stored_forest.h"

namespace heron::inline v0::balsa {

// Immutable, thread-safe. The bytes must outlive the forest.
class Forest final : public StoredForest {
 public:
  Forest(const ByteSource& bytes, std::endian order, Ensemble ensemble);
  Forest(const Forest&) = delete;
  Forest& operator=(const Forest&) = delete;

  const ByteSource& bytes() const noexcept override { return bytes_; }
  std::endian order() const noexcept override { return order_; }
  uint32_t class_count() const noexcept override { return ensemble_.class_count; }
  uint32_t feature_count() const noexcept override { return ensemble_.feature_count; }
  bool is_lone_tree() const noexcept override { return ensemble_.is_lone_tree; }
  uint64_t tree_count() const noexcept override { return ensemble_.trees.size(); }
  uint64_t node_count() const noexcept override { return nodes_; }
  StoredTree tree(uint64_t tree, const Context& context) const override;
  const std::vector<Tree>& trees() const noexcept { return ensemble_.trees; }

  // Return the number of nodes of all trees, and the nodes that belong to a tree.
  uint64_t nodes() const noexcept { return nodes_; }
  const std::shared_ptr<const Runs>& runs() const noexcept { return runs_; }

  // Returns a tree whose arrays match each other; throws its damage if they do not. The arrays are
  // checked at the first call for this tree.
  const Tree& whole(uint64_t tree, const Context& context) const;
  // Returns the number of leaves of a tree. Throws Error(Corrupt) unless the arrays match and the
  // nodes pass check_tree(). The tree is checked at the first call for it.
  uint64_t leaves(uint64_t tree, const Context& context) const;

 private:
  class Check {
   public:
    // Runs `check` at the first call; every call throws the error that it found.
    template <class F>
    void run(F check);

   private:
    Once once_;
    std::unique_ptr<const Error> error_;
  };
  struct Checks {
    Check headers;
    Check nodes;
    uint64_t leaves = 0;
  };
  Checks& checks(uint64_t tree) const;

  const ByteSource& bytes_;
  std::endian order_;
  Ensemble ensemble_;
  uint64_t nodes_ = 0;
  std::shared_ptr<const Runs> runs_;
  mutable Once checks_once_;
  mutable std::vector<Checks> checks_;  // one per tree, allocated at first use
};

}  // namespace heron::inline v0::balsa
