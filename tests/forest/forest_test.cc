// Votes and labels of forests, for one point and for many, against a plain walk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/balsa/opened_file.h"
#include "forest/plain_forest.h"
#include "kit/effort.h"

namespace heron::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Forest forest_of(const std::string& file, bool mapped = true) {
  return Forest(opened(file, mapped));
}

template <class T>
std::vector<T> random_points(RandomForests& random, uint64_t count) {
  std::vector<T> points(count);
  for (T& value : points) value = static_cast<T>(random.value());
  return points;
}

template <class T>
void expect_same_votes(const PlainForest& plain, const Forest& forest, const std::vector<T>& points,
                       const Context& context) {
  const uint64_t rows = points.size() / plain.features;
  std::vector<uint32_t> many(rows * plain.classes), one(plain.classes);
  std::vector<uint8_t> labels(rows);
  for (uint64_t row = 0; row < rows; ++row) {
    const std::span point(points.data() + row * plain.features, plain.features);
    forest.votes_one<T>(point, one);
    ASSERT_EQ(one, plain.votes(point.data())) << "row " << row;
    ASSERT_EQ(forest.predict_one<T>(point), label_of(one));
  }
  forest.votes<T>(points, many, context);
  forest.predict<T>(points, labels, {}, context);
  for (uint64_t row = 0; row < rows; ++row) {
    const auto votes = std::span(many).subspan(row * plain.classes, plain.classes);
    ASSERT_THAT(votes, testing::ElementsAreArray(plain.votes(points.data() + row * plain.features)))
        << "row " << row;
    ASSERT_EQ(labels[row], label_of(votes));
  }
}

TEST(Forest, AnswersAsAPlainWalkOnAnyNumberOfThreads) {
  for (uint64_t seed = 0; seed < tries(12); ++seed) {
    SCOPED_TRACE(seed);
    RandomForests random(seed);
    const PlainForest plain = random.forest(20, seed % 3 == 0 ? 400 : 20);
    const auto singles = random_points<float>(random, plain.features * 700ULL);
    const auto doubles = random_points<double>(random, plain.features * 700ULL);
    for (const auto order : {std::endian::little, std::endian::big}) {
      for (const bool mapped : {true, false}) {
        for (const unsigned threads : {1U, 3U}) {
          Context context;
          context.threads = threads;
          const Forest forest = forest_of(plain.bytes(order), mapped);
          EXPECT_EQ(forest.tree_count(), plain.trees.size());
          expect_same_votes(plain, forest, singles, context);
          expect_same_votes(plain, forest, doubles, context);
          // The forest now uses repacked nodes.
          expect_same_votes(plain, forest, doubles, context);
          EXPECT_EQ(forest.packed_bytes() != 0, !plain.trees.empty());
        }
      }
    }
  }
}

TEST(Forest, OnePointOfAMappedFileRepacksNothing) {
  RandomForests random(1);
  PlainForest plain = random.forest(20, 400);
  const Forest forest = forest_of(plain.bytes(std::endian::little));
  const std::vector<float> point(plain.features);
  forest.predict_one<float>(point);
  EXPECT_EQ(forest.packed_bytes(), 0U);
}

TEST(Forest, ATreeAloneIsAForestOfOne) {
  RandomForests random(2);
  PlainForest plain = random.forest(1, 50);
  while (plain.trees.empty()) plain = random.forest(1, 50);
  const Forest forest(opened(kBalsaFile.header() + kBalsaFile.tree(plain.trees[0])));
  EXPECT_EQ(forest.tree_count(), 1U);
  expect_same_votes(plain, forest, random_points<double>(random, plain.features * 100ULL), {});
}

TEST(Forest, IsAForestRatherThanATreeBeforeIt) {
  RandomForests random(4);
  PlainForest plain;
  while (plain.trees.size() < 2) plain = random.forest(3, 10);
  std::string bytes = plain.bytes(std::endian::little);
  bytes.insert(kBalsaFile.header().size(), kBalsaFile.tree(plain.trees[0]));
  EXPECT_EQ(Forest(opened(bytes)).tree_count(), plain.trees.size());
}

TEST(Forest, OfTablesThatDescribeOne) {
  RandomForests random(3);
  const PlainForest plain = random.forest(5, 10);
  const auto file = opened(plain.bytes(std::endian::little));
  for (const char* table : {"nodes", "trees"}) {
    EXPECT_TRUE(describes_forest(*file->table(table)));
    EXPECT_EQ(Forest(file->table(table)).tree_count(), plain.trees.size());
  }
  const auto cells = opened(kBalsaFile.header() + kBalsaFile.table<uint8_t>("ui08", 1, 1, {1}));
  EXPECT_FALSE(describes_forest(*cells->table()));
  EXPECT_EQ(error_of([&] { Forest forest(cells); }).kind(), ErrorKind::Unsupported);
  EXPECT_EQ(error_of([&] { Forest forest(cells->table()); }).kind(), ErrorKind::Unsupported);
  EXPECT_EQ(error_of([&] { Forest forest(std::shared_ptr<const Table>{}); }).kind(),
            ErrorKind::Argument);
}

TEST(Forest, LabelIsTheLowestClassWithTheHighestScore) {
  EXPECT_EQ(label_of(std::vector<uint32_t>{2, 3, 3}), 1);
  EXPECT_EQ(label_of(std::vector<uint32_t>{0, 0}), 0);
  EXPECT_EQ(label_of(std::vector<uint32_t>{3, 2}, std::vector<float>{1, 2}), 1);
  EXPECT_EQ(label_of(std::vector<uint32_t>{3, 2}, std::vector<float>{0, 0}), 0);
  EXPECT_EQ(label_of(std::vector<uint32_t>{}), 0);
  EXPECT_EQ(error_of([] { label_of(std::vector<uint32_t>{1, 2}, std::vector<float>{1}); }).kind(),
            ErrorKind::Argument);
}

PlainForest five_nodes() {
  PlainForest forest;
  forest.trees.push_back({3, 4, "fl32", {0}, {0}, {0}, {0}, {2}});
  forest.trees.push_back({3,
                          4,
                          "fl32",
                          {1, 3, 0, 0, 0},
                          {2, 4, 0, 0, 0},
                          {3, 0, 0, 0, 0},
                          {0.5, -1.25, 0, 0, 0},
                          {1, 1, 2, 0, 1}});
  return forest;
}

TEST(Forest, WrongSizesAndWeightsAreArguments) {
  const Forest forest = forest_of(five_nodes().bytes(std::endian::little));
  const std::vector<float> four(4), three(3), weights = {1, 1, 1};
  std::vector<uint32_t> votes(3);
  std::vector<uint8_t> labels(1);
  const auto refused = [](auto&& call) { EXPECT_EQ(error_of(call).kind(), ErrorKind::Argument); };
  refused([&] { forest.predict_one<float>(three); });
  refused([&] { forest.predict_one<float>(four, std::vector<float>{1, 1}); });
  refused([&] { forest.predict_one<float>(four, std::vector<float>{1, -1, 1}); });
  refused([&] { forest.predict_one<float>(four, std::vector<float>{1, NAN, 1}); });
  refused([&] { forest.predict_one<float>(four, std::vector<float>{1, INFINITY, 1}); });
  refused([&] { forest.votes_one<float>(four, std::span(votes).first(2)); });
  refused([&] { forest.votes<float>(three, votes); });
  refused([&] { forest.votes<float>(four, std::span(votes).first(2)); });
  refused([&] { forest.predict<float>(three, labels); });
  refused([&] { forest.predict<float>(four, {}); });
  EXPECT_EQ(forest.predict_one<float>({0, 0, 0, 0}), 1);  // one vote for 1, one for 2
  forest.predict<float>(four, labels, weights);
  EXPECT_EQ(labels[0], 1);
}

// Expects this error of a damaged forest from one point and from many points.
void expect_damage(const PlainForest& plain, const std::string& text) {
  for (const auto order : {std::endian::little, std::endian::big}) {
    for (const bool mapped : {true, false}) {
      const std::vector<double> points(plain.features * 1000ULL, 0.0);
      std::vector<uint8_t> labels(1000);
      const Forest forest = forest_of(plain.bytes(order), mapped);
      const Error one = error_of(
          [&] { forest.predict_one<double>(std::span(points).first(plain.features)); });
      EXPECT_EQ(one.kind(), ErrorKind::Corrupt);
      EXPECT_THAT(one.what(), HasSubstr(text));
      const Error many = error_of([&] { forest.predict<double>(points, labels); });
      EXPECT_EQ(many.kind(), ErrorKind::Corrupt);
      EXPECT_THAT(many.what(), HasSubstr(text));
    }
  }
}

TEST(Forest, DamageNamesTreeAndNode) {
  // Point 0 goes left at the root of tree 1 and right at its node 1, to node 4.
  const auto damaged = [](auto&& change, const std::string& text) {
    PlainForest forest = five_nodes();
    change(forest.trees[1]);
    SCOPED_TRACE(text);
    expect_damage(forest, text);
  };
  damaged([](BalsaTree& tree) { tree.left[0] = 5; },
          "node 0: expected a left child from 1 to 4, got 5");
  damaged([](BalsaTree& tree) { tree.right[1] = 0; },
          "node 1: expected a right child from 1 to 4, got 0");
  damaged([](BalsaTree& tree) { tree.right[1] = UINT32_MAX; }, "expected a right child");
  damaged([](BalsaTree& tree) { tree.feature[1] = 4; },
          "node 1: expected a split feature from 0 to 3, got 4");
  damaged([](BalsaTree& tree) { tree.label[4] = 3; },
          "node 4: expected a label from 0 to 2, got 3");
  damaged([](BalsaTree& tree) { tree.right[1] = 1; }, "the path from the root comes back");
  damaged([](BalsaTree& tree) { tree = {3, 4, "fl32", {}, {}, {}, {}, {}}; }, "expected at least");
  damaged([](BalsaTree& tree) { tree.class_count = 4; }, "expected class_count 3");
  damaged([](BalsaTree& tree) { tree.feature_count = 5; }, "expected feature_count 4");
  damaged([](BalsaTree& tree) { tree.label.pop_back(); }, "tree");
}

TEST(Forest, NodesThatTwoPathsReachAreHarmless) {
  PlainForest forest;
  // Each level is one node, whose children are both the next level: 2^29 paths.
  BalsaTree tree{3, 4, "fl64", {}, {}, {}, {}, {}};
  for (uint32_t i = 0; i < 30; ++i) {
    const bool leaf = i == 29;
    tree.left.push_back(leaf ? 0 : i + 1);
    tree.right.push_back(leaf ? 0 : i + 1);
    tree.feature.push_back(static_cast<uint8_t>(i % 4));
    tree.value.push_back(i);
    tree.label.push_back(1);
  }
  forest.trees.push_back(tree);
  RandomForests random(7);
  const Forest same = forest_of(forest.bytes(std::endian::little));
  expect_same_votes(forest, same, random_points<float>(random, 4000), {});
  EXPECT_EQ(stats(same).trees[0].depth, 29U);
}

TEST(Forest, SummaryCountsNodes) {
  const ForestStats summary = stats(forest_of(five_nodes().bytes(std::endian::little)));
  ASSERT_EQ(summary.trees.size(), 2U);
  EXPECT_EQ(summary.trees[0].depth, 0U);
  EXPECT_EQ(summary.trees[1].nodes, 5U);
  EXPECT_EQ(summary.trees[1].leaves, 3U);
  EXPECT_EQ(summary.trees[1].depth, 2U);
  EXPECT_THAT(summary.splits_of_feature, ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(summary.leaves_of_class, ElementsAre(1, 1, 2));
}

TEST(Forest, BudgetAndCancellation) {
  RandomForests random(9);
  PlainForest plain = random.forest(20, 400);
  while (plain.trees.size() < 5) plain = random.forest(20, 400);
  const Forest forest = forest_of(plain.bytes(std::endian::little));
  Context small;
  small.memory = std::make_shared<MemoryBudget>(64);
  EXPECT_EQ(error_of([&] { stats(forest, small); }).kind(), ErrorKind::Limit);
  const std::atomic<bool> stop = true;
  Context cancelled;
  cancelled.cancel = &stop;
  EXPECT_EQ(error_of([&] { stats(forest, cancelled); }).kind(), ErrorKind::Cancelled);
  EXPECT_EQ(stats(forest).trees.size(), plain.trees.size());
}

}  // namespace
}  // namespace heron::test
