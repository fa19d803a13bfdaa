// The lower bound of classification by a forest of float32 split values, on this machine: a plain
// walk over the stored nodes in a plain map, compiled for this CPU. It checks nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plain.h"

namespace heron::bench {

// The arrays of a tree, as the file has them.
struct PlainTree {
  const std::byte *left, *right, *feature, *split, *label;
};

struct PlainForest {
  std::vector<PlainTree> trees;
  uint64_t features = 0, classes = 0;
};

// Returns the class that most trees vote for. Several trees are walked at once.
uint8_t label_of_point(const PlainForest& forest, const float* point);
// Sets the labels of a row-major matrix, tree by tree, several points at once.
void labels_of_points(const PlainForest& forest, std::span<const float> points,
                      std::span<uint8_t> labels, std::vector<uint32_t>& votes);

}  // namespace heron::bench
