// Trees as masks of leaves give the votes that a plain walk from root to leaf gives.
#include "forest/leaf_masks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "forest/packed_forest.h"

namespace {

using heron::is_leaf;
using heron::kNoPointIsLess;
using heron::LeafMasks;
using heron::NarrowNode;

constexpr uint8_t kFeatures = 7;

float special_value(std::mt19937_64& random) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kSpecial[] = {0.0F, -0.0F, kInfinity, -kInfinity, NAN, 1.0F, -1.0F,
                                std::numeric_limits<float>::denorm_min()};
  if (random() % 4 == 0) return kSpecial[random() % std::size(kSpecial)];
  return static_cast<float>(static_cast<int>(random() % 21) - 10) / 8;
}

// Grows a tree of `leaves` leaves: makes inner nodes of leaves, any of them or always the last.
std::vector<NarrowNode> grow_tree(uint64_t leaves, uint8_t classes, bool is_chain,
                                  std::mt19937_64& random) {
  const auto leaf = [&](uint32_t at) {
    return NarrowNode(kNoPointIsLess<uint32_t>, at, static_cast<uint8_t>(random() % classes));
  };
  std::vector<NarrowNode> nodes{leaf(0)};
  std::vector<uint32_t> ends{0};
  while (ends.size() < leaves) {
    const uint64_t i = is_chain ? ends.size() - 1 : random() % ends.size();
    const auto child = static_cast<uint32_t>(nodes.size());
    nodes[ends[i]] = NarrowNode(heron::split_key<uint32_t>(special_value(random)), child,
                                static_cast<uint8_t>(random() % kFeatures));
    nodes.push_back(leaf(child));
    nodes.push_back(leaf(child + 1));
    ends[i] = child + 1;
    ends.push_back(child);
  }
  return nodes;
}

uint8_t plain_label(const std::vector<NarrowNode>& nodes, const uint32_t* point) {
  uint32_t at = 0;
  while (!is_leaf<NarrowNode>(nodes, at)) {
    at = nodes[at].child() + (point[nodes[at].feature()] < nodes[at].key);
  }
  return nodes[at].feature();
}

TEST(LeafMasks, VotesAreThoseOfAPlainWalk) {
  std::mt19937_64 random(7);
  for (const uint8_t classes : {1, 2, 5, 16}) {
    LeafMasks masks;
    std::vector<std::vector<NarrowNode>> trees;
    for (uint64_t leaves = 1; leaves <= LeafMasks::kMaxLeaves; ++leaves) {
      for (const bool is_chain : {false, true}) {
        trees.push_back(grow_tree(leaves, classes, is_chain, random));
        ASSERT_TRUE(masks.add(trees.back())) << leaves;
      }
    }
    for (const uint64_t points : {1, 8, 31, 32, 33, 500}) {
      std::vector<uint32_t> grouped(heron::key_count(points, kFeatures)), keys(points * kFeatures);
      for (uint64_t i = 0; i < keys.size(); ++i) {
        keys[i] = heron::point_key<uint32_t>(special_value(random));
        grouped[heron::key_index(i / kFeatures, i % kFeatures, kFeatures)] = keys[i];
      }
      std::vector<uint32_t> votes(points * classes, 3), expected = votes;
      for (uint64_t point = 0; point < points; ++point) {
        for (const auto& tree : trees) {
          ++expected[point * classes + plain_label(tree, keys.data() + point * kFeatures)];
        }
      }
      masks.vote(grouped.data(), points, kFeatures, classes, votes.data());
      EXPECT_EQ(votes, expected) << int{classes} << " classes, " << points << " points";
    }
  }
}

TEST(LeafMasks, RefusesTreesOfMoreLeaves) {
  std::mt19937_64 random(7);
  LeafMasks masks;
  EXPECT_FALSE(masks.add(grow_tree(LeafMasks::kMaxLeaves + 1, 2, true, random)));
  EXPECT_FALSE(masks.add(grow_tree(100'000, 2, true, random)));  // too deep for a recursion
  // Each of 20 nodes has the next as both children: 2^20 leaves.
  std::vector<NarrowNode> shared(1, NarrowNode(1, 1, 0));
  for (uint32_t i = 0; i < 20; ++i) {
    const uint32_t next = 2 * i + 3;
    shared.push_back(NarrowNode(1, next, 0));
    shared.push_back(NarrowNode(1, next, 0));
  }
  const auto last = static_cast<uint32_t>(shared.size());
  shared.push_back(NarrowNode(kNoPointIsLess<uint32_t>, last, 0));
  shared.push_back(NarrowNode(kNoPointIsLess<uint32_t>, last + 1, 0));
  EXPECT_FALSE(masks.add(shared));
  EXPECT_TRUE(masks.empty());
  EXPECT_EQ(masks.bytes(), 0U);
}

}  // namespace
