#include "treezip/read/survey.h"

#include <gtest/gtest.h>

#include <atomic>

#include "codecs/treezip/made_tree.h"

namespace heron::treezip {
namespace {

using namespace treezip_test;

struct Counts {
  uint64_t branches = 0, leaves = 0, implied = 0;
  unsigned depth = 0;

  void add(const Node& node, unsigned level = 0) {
    depth = std::max(depth, level);
    if (node.is_leaf()) {
      ++leaves;
      return;
    }
    ++branches;
    implied += node.left->is_leaf() && node.right->is_leaf() ? 1 : 0;
    add(*node.left, level + 1);
    add(*node.right, level + 1);
  }
};

std::string error_text(const Header& header, const Bits& bits) {
  const MadeFile made = make_file(header, bits.bytes());
  try {
    survey(*made.file, kIndexBits, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    return error.what();
  }
  return "no error";
}

TEST(TreeZipSurvey, CountsRandomTrees) {
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 100; ++round) {
    const Header header{1000, static_cast<unsigned>(random() % 256),
                        static_cast<unsigned>(random() % 256)};
    const NodePtr root = random_tree(random, first_features(header.features()), 9);
    Counts counts;
    counts.add(*root);
    Bits bits;
    bits.put(*root, first_features(header.features()));
    const MadeFile made = make_file(header, *root);
    const Survey found = survey(*made.file, 1, {});
    EXPECT_EQ(found.branches, counts.branches);
    EXPECT_EQ(found.leaves, counts.leaves);
    EXPECT_EQ(found.implied_leaves, counts.implied);
    EXPECT_EQ(found.depth, counts.depth);
    EXPECT_EQ(found.tree_bits, bits.size());
    EXPECT_EQ(found.index.entries.size(), found.looks_back != 0 ? 0 : counts.branches);
  }
}

TEST(TreeZipSurvey, TellsTheFeaturesAndHowFarBack) {
  const NodePtr root =
      branch(3, leaf(false), branch(9, branch(5, leaf(true), leaf(false)), leaf(true)));
  const Survey found = survey(*make_file({100, 5, 8}, *root).file, 1, {});
  EXPECT_EQ(found.used.count(), 3U);
  EXPECT_TRUE(found.used[3] && found.used[5] && found.used[9]);
  EXPECT_EQ(found.looks_back, 5U);  // 5 is the bit before
  EXPECT_TRUE(found.index.entries.empty());
}

TEST(TreeZipSurvey, ErrorsNameTheBit) {
  Bits index;
  index.put(1, 1);
  index.put(5, 3);
  EXPECT_EQ(error_text({10, 5, 0}, index),
            "made.tz: tree, bit 1 of the bit stream (byte 32): expected the index of one of 5 "
            "features, got 5");
  Bits deep;
  deep.put(3, 2);
  EXPECT_EQ(error_text({10, 1, 0}, deep),
            "made.tz: tree, bit 1 of the bit stream (byte 32): expected a leaf, all 1 features "
            "being used above, got a branch");
  Bits cut;
  cut.put(1, 8);  // a branch on feature 0 of 128, cut after its feature
  EXPECT_EQ(error_text({10, 128, 0}, cut),
            "made.tz: tree, bit 8 of the bit stream (byte 33): expected a node, got the end of the "
            "file");
  EXPECT_EQ(error_text({10, 255, 0}, cut).find("made.tz: tree, bit 8"), 0U);
}

TEST(TreeZipSurvey, EveryTruncationIsFound) {
  std::mt19937_64 random(2);
  const Header header{1000, 12, 0};
  const NodePtr root = random_tree(random, first_features(12), 12);
  Bits bits;
  bits.put(*root, first_features(12));
  for (uint64_t bytes = 1; 8 * bytes < bits.size(); bytes += 1 + bytes / 8) {
    const MadeFile made = make_file(header, bits.bytes().substr(0, bytes));
    EXPECT_THROW(survey(*made.file, kIndexBits, {}), Error) << bytes;
  }
}

// The tree has chains of branches, each nearly as large as the branch above it: each has an entry.
TEST(TreeZipSurvey, IndexStaysBelowTheTree) {
  NodePtr root = leaf(false);
  std::mt19937_64 random(3);
  const auto chain = [](NodePtr end, unsigned from, unsigned to) {
    for (unsigned feature = to; feature-- > from;)
      end = branch(feature, leaf(true), std::move(end));
    return end;
  };
  const auto grow = [&](auto& self, unsigned feature) -> NodePtr {
    if (feature == 10) return chain(branch(200, leaf(true), leaf(false)), 10, 60);
    return branch(feature, self(self, feature + 1), self(self, feature + 1));
  };
  const Survey found = survey(*make_file({1000, 255, 0}, *grow(grow, 0)).file, 1, {});
  EXPECT_GT(found.index.least_bits, 1U);
  EXPECT_LE(found.index.bytes(), found.tree_bits / 8 + (64 << 10));
  EXPECT_FALSE(found.index.entries.empty());
}

TEST(TreeZipSurvey, StopsWhenCancelled) {
  std::mt19937_64 random(4);
  const auto grow = [&](auto& self, unsigned feature) -> NodePtr {
    if (feature == 19) return leaf(false);
    if (feature == 18) return branch(feature, leaf(true), leaf(false));
    return branch(feature, self(self, feature + 1), self(self, feature + 1));
  };
  const MadeFile made = make_file({1000, 19, 0}, *grow(grow, 0));
  std::atomic<bool> cancel = true;
  Context context;
  context.cancel = &cancel;
  EXPECT_THROW(survey(*made.file, kIndexBits, context), Error);
}

}  // namespace
}  // namespace heron::treezip
