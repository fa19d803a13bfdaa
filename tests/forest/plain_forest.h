// Random forests, as bytes of a file and as a plain walk over them, which is the reference.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kit/balsa_file.h"

namespace heron::test {

struct PlainForest {
  uint8_t classes = 3;
  uint8_t features = 4;
  std::vector<BalsaTree> trees;

  std::string bytes(std::endian order) const {
    const BalsaFile file(order);
    std::string all;
    for (const BalsaTree& tree : trees) all += file.tree(tree);
    return file.header() + BalsaFile::ensemble(all, classes, features);
  }

  template <class T>
  std::vector<uint32_t> votes(const T* point) const {
    std::vector<uint32_t> votes(classes);
    for (const BalsaTree& tree : trees) {
      uint32_t at = 0;
      while (tree.left[at] != 0) {
        const T value = point[tree.feature[at]];
        const bool is_less = tree.value_type == "fl32" ? value < static_cast<float>(tree.value[at])
                                                       : value < tree.value[at];
        at = is_less ? tree.left[at] : tree.right[at];
      }
      ++votes[tree.label[at]];
    }
    return votes;
  }
};

// Returns values around which floats compare in odd ways.
inline std::vector<double> odd_values() {
  using Float = std::numeric_limits<float>;
  using Double = std::numeric_limits<double>;
  std::vector<double> values = {0.0,  -0.0, 1.0,  -1.0, 0.1,  double{0.1F}, 0.5, 3.5, -2.25,
                                16777217.0, 1e300, -1e300, 1e-300, -1e-300,
                                Float::max(), Float::lowest(), Float::denorm_min(),
                                -Float::denorm_min(), Double::denorm_min(), -Double::denorm_min(),
                                Double::infinity(), -Double::infinity(), Double::quiet_NaN()};
  for (const float one : {0.1F, 1.0F, 3.5F}) {
    values.push_back(std::nextafter(one, 2 * one));
    values.push_back(std::nextafter(one, -one));
    values.push_back(std::nextafter(double{one}, 2.0 * one));
    values.push_back(std::nextafter(double{one}, -1.0 * one));
  }
  return values;
}

class RandomForests {
 public:
  explicit RandomForests(uint64_t seed) : random_(seed) {}

  PlainForest forest(uint32_t most_trees, uint32_t most_leaves) {
    PlainForest forest;
    forest.classes = static_cast<uint8_t>(1 + below(6));
    forest.features = static_cast<uint8_t>(1 + below(9));
    const uint32_t trees = below(most_trees + 1);
    for (uint32_t i = 0; i < trees; ++i)
      forest.trees.push_back(tree(forest, 1 + below(most_leaves)));
    return forest;
  }
  double value() {
    if (below(3) == 0) return std::normal_distribution<double>(0, 2)(random_);
    return odd_[below(static_cast<uint32_t>(odd_.size()))];
  }
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }

 private:
  // Makes a tree: splits leaves until there are enough, then shuffles the nodes, but for the root.
  BalsaTree tree(const PlainForest& forest, uint32_t leaves) {
    BalsaTree tree;
    tree.class_count = forest.classes;
    tree.feature_count = forest.features;
    tree.value_type = below(2) == 0 ? "fl32" : "fl64";
    add_node(tree);
    std::vector<uint32_t> ends = {0};
    while (ends.size() < leaves) {
      const uint32_t i = below(static_cast<uint32_t>(ends.size()));
      const uint32_t at = ends[i];
      tree.left[at] = add_node(tree);
      tree.right[at] = add_node(tree);
      tree.feature[at] = static_cast<uint8_t>(below(forest.features));
      tree.value[at] = value();
      ends[i] = tree.left[at];
      ends.push_back(tree.right[at]);
    }
    for (uint8_t& label : tree.label) label = static_cast<uint8_t>(below(forest.classes));
    if (below(2) == 0) shuffle(tree);
    return tree;
  }
  static uint32_t add_node(BalsaTree& tree) {
    tree.left.push_back(0);
    tree.right.push_back(0);
    tree.feature.push_back(0);
    tree.value.push_back(0);
    tree.label.push_back(0);
    return static_cast<uint32_t>(tree.left.size() - 1);
  }
  void shuffle(BalsaTree& tree) {
    std::vector<uint32_t> index(tree.left.size());
    for (uint32_t i = 0; i < index.size(); ++i) index[i] = i;
    std::shuffle(index.begin() + 1, index.end(), random_);
    BalsaTree moved = tree;
    for (uint32_t i = 0; i < index.size(); ++i) {
      moved.left[index[i]] = index[tree.left[i]];
      moved.right[index[i]] = index[tree.right[i]];
      moved.feature[index[i]] = tree.feature[i];
      moved.value[index[i]] = tree.value[i];
      moved.label[index[i]] = tree.label[i];
    }
    tree = moved;
  }

  std::mt19937_64 random_;
  std::vector<double> odd_ = odd_values();
};

}  // namespace heron::test
