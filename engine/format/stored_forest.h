// A decision forest as it lies in a file: what a codec gives to engine/forest/.
#pragma once

#include <bit>
#include <cstdint>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// One tree: five arrays with a cell per node, packed, at any alignment, in the forest's byte order.
// Node 0 is the root. A node whose left child is 0 is a leaf, whatever its other cells are.
struct StoredTree {
  uint64_t offset = 0;  // offset of the tree in the file, for errors
  uint32_t nodes = 0;
  bool is_wide = false;  // split values are float64, else float32
  // Offsets of the arrays in the bytes; all cells lie inside them.
  uint64_t left = 0, right = 0;  // uint32
  uint64_t feature = 0;          // uint8
  uint64_t split = 0;            // float32 or float64
  uint64_t label = 0;            // uint8
};

// Immutable, thread-safe.
class StoredForest {
 public:
  virtual ~StoredForest() = default;

  virtual const ByteSource& bytes() const noexcept = 0;
  virtual std::endian order() const noexcept = 0;
  virtual uint32_t class_count() const noexcept = 0;
  virtual uint32_t feature_count() const noexcept = 0;
  // Returns whether this is a single tree that the file stores outside of any forest.
  virtual bool is_lone_tree() const noexcept = 0;
  virtual uint64_t tree_count() const noexcept = 0;
  virtual uint64_t node_count() const noexcept = 0;  // nodes of all trees, as their headers claim
  // Throws Error(Corrupt) unless the arrays of the tree match each other and its header agrees with
  // the forest's. Reads headers at the first call for a tree, no nodes: what these hold is
  // unchecked.
  virtual StoredTree tree(uint64_t tree, const Context& context) const = 0;

 protected:
  StoredForest() = default;
};

}  // namespace heron::inline v0
