#include "forest_bound.h"

#include <algorithm>

namespace heron::bench {
namespace {

constexpr uint64_t kLanes = 16;  // paths from a root that are followed at once

// Calls vote(lane, label) for `count` lanes; lane i takes tree_of(i) and point_of(i).
template <class TreeOf, class PointOf, class Vote>
void walk(uint64_t count, TreeOf tree_of, PointOf point_of, Vote vote) {
  uint32_t at[kLanes] = {};
  bool any_inner = true;
  while (any_inner) {
    any_inner = false;
    for (uint64_t i = 0; i < count; ++i) {
      const PlainTree& tree = tree_of(i);
      const auto left = load<uint32_t>(tree.left + at[i] * sizeof(uint32_t));
      if (left == 0) continue;
      const auto right = load<uint32_t>(tree.right + at[i] * sizeof(uint32_t));
      const auto split = load<float>(tree.split + at[i] * sizeof(float));
      const auto feature = load<uint8_t>(tree.feature + at[i]);
      at[i] = point_of(i)[feature] < split ? left : right;
      any_inner = true;
    }
  }
  for (uint64_t i = 0; i < count; ++i) vote(i, load<uint8_t>(tree_of(i).label + at[i]));
}

uint8_t first_largest(const uint32_t* votes, uint64_t classes) {
  return static_cast<uint8_t>(std::max_element(votes, votes + classes) - votes);
}

}  // namespace

uint8_t label_of_point(const PlainForest& forest, const float* point) {
  uint32_t votes[256] = {};
  for (uint64_t first = 0; first < forest.trees.size(); first += kLanes) {
    const PlainTree* trees = forest.trees.data() + first;
    walk(std::min(kLanes, forest.trees.size() - first),
         [&](uint64_t i) -> const PlainTree& { return trees[i]; },
         [&](uint64_t) { return point; }, [&](uint64_t, uint8_t label) { ++votes[label]; });
  }
  return first_largest(votes, forest.classes);
}

void labels_of_points(const PlainForest& forest, std::span<const float> points,
                      std::span<uint8_t> labels, std::vector<uint32_t>& votes) {
  constexpr uint64_t kPointsAtOnce = 8192;  // their votes stay in cache
  for (uint64_t begin = 0; begin < labels.size(); begin += kPointsAtOnce) {
    const uint64_t count = std::min(kPointsAtOnce, labels.size() - begin);
    votes.assign(count * forest.classes, 0);
    for (const PlainTree& tree : forest.trees) {
      for (uint64_t first = 0; first < count; first += kLanes) {
        const float* from = points.data() + (begin + first) * forest.features;
        uint32_t* to = votes.data() + first * forest.classes;
        walk(std::min(kLanes, count - first),
             [&](uint64_t) -> const PlainTree& { return tree; },
             [&](uint64_t i) { return from + i * forest.features; },
             [&](uint64_t i, uint8_t label) { ++to[i * forest.classes + label]; });
      }
    }
    for (uint64_t i = 0; i < count; ++i) {
      labels[begin + i] = first_largest(votes.data() + i * forest.classes, forest.classes);
    }
  }
}

}  // namespace heron::bench
