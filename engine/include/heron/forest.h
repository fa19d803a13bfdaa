// Decision forests: classification of rows straight from a forest's file, and writing forests.
//
//   const heron::Forest forest(heron::open("model.balsa"));
//   const uint8_t label = forest.predict_one<float>({0.5, 12, -1});
//
//   const auto writer = heron::create_forest("new.balsa", {.class_count = 2, .feature_count = 4});
//   for (const auto& tree : trees) writer->add({tree.left, tree.right, ...});
//   writer->close();
//   writer->publish();
//
// A tree is walked from its root, node 0: a point goes left if its feature is less than the node's
// value, else right: also if it is equal or NaN. Floats are compared in float if both are, else in
// double: exactly. Each tree votes for the label of the leaf that the point reaches.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/file.h"
#include "heron/row_source.h"
#include "heron/table.h"
#include "heron/writer.h"

namespace heron::inline v0 {

// Returns the class with the highest product of votes and weight, in float; of equal ones the
// lowest; class 0 if no product is above 0. `weights` has one per class, or none: all are 1.
HERON_EXPORT uint8_t label_of(std::span<const uint32_t> votes, std::span<const float> weights = {});

// Returns whether the table is one of a forest's nodes or trees, or of the nodes of a single tree.
HERON_EXPORT bool describes_forest(const Table& table) noexcept;

// A forest of a file, or a single tree in it. Cheap to make: reads nothing but the file's headers.
// Cheap to copy; copies share the repacked nodes. Keeps its table alive. Thread-safe.
//
// T is float or double. Weights as in label_of(): all finite and at least 0, else Error(Argument).
// All calls throw Error(Argument) for spans of another size; Error(Corrupt), which names tree and
// node, before any label is returned that damage could have changed; Error(Changed). Features have
// the order of the points' columns that the forest was trained with: files store no names.
class HERON_EXPORT Forest {
 public:
  // The first forest of the file, or its first tree if it has no forest. Throws Error(Unsupported)
  // if it has neither.
  explicit Forest(const std::shared_ptr<const File>& file);
  // The forest, or the tree, that the table describes. Throws Error(Unsupported) if it describes
  // none.
  explicit Forest(std::shared_ptr<const Table> table);

  const std::string& name() const noexcept;  // the file's name, for messages
  uint64_t tree_count() const noexcept;
  uint32_t class_count() const noexcept;
  uint32_t feature_count() const noexcept;
  // The memory of the repacked nodes, in bytes; 0: no call needed them so far.
  uint64_t packed_bytes() const noexcept;
  // Repacks the nodes now, unless that is done, instead of in the first call for many points.
  // Single points then take less than half the time. Charges the Context's budget. Throws
  // Error(Corrupt) for damage anywhere, and Error(Limit).
  void pack(const Context& context = {}) const;

  // One point, feature_count() values. Walks from root to leaf over the mapped nodes, several trees
  // at a time: no copy, no allocation, no thread. The cost is that of the cache misses on the way.
  // Checks the nodes that it meets. The first call on a file that is not mapped repacks the forest,
  // as the calls for many points do.
  template <class T>
  uint8_t predict_one(std::span<const T> point, std::span<const float> weights = {}) const;
  template <class T>
  uint8_t predict_one(std::initializer_list<T> point, std::span<const float> weights = {}) const {
    return predict_one(std::span(point.begin(), point.size()), weights);
  }
  // The number of trees that vote for each class: class_count() numbers.
  template <class T>
  void votes_one(std::span<const T> point, std::span<uint32_t> votes) const;

  // Classifies many points, a row-major matrix of feature_count() columns, on the Context's
  // threads, with the same results as one by one. If there are enough points for it to pay, first
  // checks and repacks all nodes, and keeps them: 8 bytes a node, 16 if its split value is a
  // float64, and twice as much for trees of at most 64 leaves; the budget of the Context that did
  // it is charged. `votes` is a row-major matrix of class_count() columns.
  template <class T>
  void predict(std::span<const T> points, std::span<uint8_t> labels,
               std::span<const float> weights = {}, const Context& context = {}) const;
  template <class T>
  void votes(std::span<const T> points, std::span<uint32_t> votes,
             const Context& context = {}) const;

  class Internals;  // private to the engine

 private:
  friend const Internals& internals(const Forest& forest) noexcept;
  std::shared_ptr<const Internals> internals_;
};

// The columns that predictions() reads and returns.
struct PredictOptions {
  // The columns with the features, by name and in the forest's order; empty: all except `keep`.
  std::vector<std::string> features = {};
  // Columns of the points that come first in the result.
  std::vector<std::string> keep = {};
  std::vector<float> weights = {};  // as in label_of()
  bool votes = false;               // uint32 votes_0, votes_1, ..
  bool probabilities = false;       // float64 probability_0, ..: votes divided by trees
  bool nulls_as_nan = false;        // a null feature is NaN, else Error(Argument)
};

// Returns the points with their predictions: the columns of `keep`, uint8 `label`, then votes and
// probabilities if requested. A name that a kept column has gets ".1", or the next free one.
// Features are bools, integers or floats; all are exact as doubles (Error(Argument) for an integer
// that is not). Reads the points as a stream, in memory that does not grow with them, and
// classifies on the Context's threads. Throws Error(Argument) for an unknown column, for another
// number of features than the forest has, and for columns of other types.
HERON_EXPORT RowSourcePtr predictions(const Forest& forest, RowSourcePtr points,
                                      const PredictOptions& options = {});

// A confusion matrix: counts the points of each class by the label that they were given.
class HERON_EXPORT Confusion {
 public:
  explicit Confusion(uint32_t classes) : classes_(classes), counts_(uint64_t{classes} * classes) {}

  uint32_t classes() const noexcept { return classes_; }
  // All calls with a class or label throw Error(Argument) unless it is below classes().
  void add(uint32_t truth, uint32_t label, uint64_t points = 1);
  uint64_t count(uint32_t truth, uint32_t label) const;
  uint64_t points() const noexcept;

  // Shares from 0 to 1; nullopt where the denominator is 0.
  std::optional<double> accuracy() const;              // points with the label of their class
  std::optional<double> precision(uint32_t label) const;  // correct, among those labelled so
  std::optional<double> recall(uint32_t label) const;     // labelled so, among those of the class
  std::optional<double> f1(uint32_t label) const;         // the harmonic mean of both

 private:
  uint64_t cell(uint32_t truth, uint32_t label) const;

  uint32_t classes_;
  std::vector<uint64_t> counts_;  // truth x label
};

// Compares labels with the truth: two sources of one column each and equally many rows, whole
// numbers from 0 to 254, none null. The result has at least `classes` classes, more if a number is
// larger. Throws Error(Argument), naming file and row, for anything else.
HERON_EXPORT Confusion compare_labels(const RowSource& truth, const RowSource& labels,
                                      uint32_t classes, const Context& context = {});

// The sizes of a forest's trees, and how often its nodes use each feature and label.
struct ForestStats {
  struct Tree {
    uint32_t nodes = 0;
    uint32_t leaves = 0;
    uint32_t depth = 0;  // depth of the deepest leaf; the root has 0
  };
  std::vector<Tree> trees;
  std::vector<uint64_t> splits_of_feature;  // how many nodes split on each feature
  std::vector<uint64_t> leaves_of_class;    // how many leaves have each label
};

// Summarizes nodes that roots reach. Repacks the forest as predict() does. Throws Error(Corrupt).
HERON_EXPORT ForestStats stats(const Forest& forest, const Context& context = {});

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
