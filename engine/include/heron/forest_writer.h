// Writes forests: the trees of a classifier, in a format that holds forests.
//
//   const auto writer = heron::create_forest("model.balsa", {.class_count = 2, .feature_count =
//   4}); for (const auto& tree : trees) writer->add({tree.left, tree.right, ...}); writer->close();
//   writer->publish();
//
// A tree is walked from its root, node 0: left if the point's feature is below the node's value,
// else, and for a NaN, right. Its vote is the label of the leaf that the walk ends in.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/writer.h"

namespace heron::inline v0 {

struct ForestShape {
  // 1 to 255 each. 0: one more than the largest label, or the largest feature that an inner node
  // splits on; a feature count of 1 if there is no inner node.
  uint64_t class_count = 0;
  uint64_t feature_count = 0;
};

// The nodes of one tree: element i of each array belongs to node i. The arrays are only read during
// the call.
struct TreeNodes {
  std::span<const uint32_t> left;  // 0: the node is a leaf
  std::span<const uint32_t> right;
  std::span<const uint8_t> feature;
  // Floats are stored as such, so that points of floats are compared as floats. A NaN is a value.
  std::variant<std::span<const float>, std::span<const double>> value;
  std::span<const uint8_t> label;
};

// Takes one tree after the other. publish() makes the file appear under its name, whole and synced;
// before, or if the writer is destroyed without it, no file appears. One thread at a time. Memory
// does not grow with the forest, apart from 8 bytes a tree if a count is not known.
class HERON_EXPORT ForestWriter {
 public:
  virtual ~ForestWriter() = default;
  ForestWriter(const ForestWriter&) = delete;
  ForestWriter& operator=(const ForestWriter&) = delete;

  // Throws Error(Argument), which names tree and node, unless
  // - there is a node, and all arrays have an element for each,
  // - every label is below class_count,
  // - every inner node has two children that are nodes but not the root, and splits on a feature
  //   below feature_count,
  // - no walk down from the root comes back to a node;
  // also Limit (more nodes than the format can hold), Write, Cancelled. No call may follow an
  // error.
  virtual void add(const TreeNodes& tree) = 0;
  // Finishes the content of the file; publish() syncs it and gives it its name. A forest without
  // trees is one only if its counts are known, else Error(Argument).
  virtual void close() = 0;
  // Call it after close(). Throws Error(Write) if the name exists, unless WriteOptions::replace.
  virtual void publish() = 0;
  virtual uint64_t trees() const noexcept = 0;  // trees added so far
  virtual uint64_t bytes_written() const = 0;

 protected:
  ForestWriter() = default;
};

// Creates a forest with the format, replace and that format's options of `options`; their counts,
// if not 0, replace those of the shape. Throws Error: Argument (no such format, a count above 255),
// Unsupported (a format that holds no forests; names those that do), Write.
HERON_EXPORT std::unique_ptr<ForestWriter> create_forest(const std::string& path,
                                                         const ForestShape& shape = {},
                                                         const WriteOptions& options = {},
                                                         const Context& context = {});

}  // namespace heron::inline v0
