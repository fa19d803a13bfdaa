// The inside of a Forest: its stored nodes, the repacked ones, and how points are classified.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/once.h"
#include "forest/mapped_tree.h"
#include "forest/packed_forest.h"
#include "heron/forest.h"

namespace heron::inline v0 {

// Thread-safe.
class Forest::Internals {
 public:
  // The source of the table must have a forest.
  explicit Internals(std::shared_ptr<const Table> table);

  const StoredForest& stored() const noexcept { return stored_; }
  const std::shared_ptr<const Table>& table() const noexcept { return table_; }

  // Repacks the nodes at the first call.
  const PackedForest& packed(const Context& context) const;
  // Returns null if the nodes are not repacked so far.
  const PackedForest* packed_already() const noexcept {
    return packed_.load(std::memory_order_acquire);
  }
  // Returns the nodes in the map; the file must be mapped. The first call looks up their addresses.
  std::span<const MappedTree> mapped() const;

  // Returns whether repacking the nodes is faster for `points` points. Also returns true if they
  // are repacked, or if the file is not mapped.
  bool is_packing_worthwhile(uint64_t points) const noexcept;
  // Walks one point down the nodes in the map. Sets `votes`.
  template <class T>
  void walk(const T* point, uint32_t* votes) const;
  // Returns how many of `points` points a thread classifies at once. The more, the less often each
  // tree is loaded into the cache again: 32,768 of 10 features take half the time of as many in
  // blocks of 2,048.
  uint64_t points_at_once(uint64_t points, uint64_t threads) const noexcept;

 private:
  const std::shared_ptr<const Table> table_;
  const StoredForest& stored_;
  mutable Once mapped_once_, packed_once_;
  mutable std::vector<MappedTree> mapped_;
  mutable std::unique_ptr<const PackedForest> packed_owner_;
  mutable std::atomic<const PackedForest*> packed_ = nullptr;
};

inline const Forest::Internals& internals(const Forest& forest) noexcept {
  return *forest.internals_;
}

// Throws Error(Argument) unless there are none, or one per class, finite and at least 0.
void check_weights(const Forest& forest, std::span<const float> weights);

}  // namespace heron::inline v0
