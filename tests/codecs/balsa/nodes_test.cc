// Trees and forests: their tables, and trees that are damaged.
#include <gmock/gmock.h>

#include "base/fail.h"
#include "kit/sums.h"
#include "opened_file.h"
#include "table/internals.h"
#include "temp_folder.h"

namespace heron::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Returns a tree of five nodes: an inner root, an inner node, three leaves.
BalsaTree five() {
  return {3,
          4,
          "fl32",
          {1, 3, 0, 0, 0},
          {2, 4, 0, 0, 0},
          {3, 0, 0, 0, 0},
          {0.5, -1.25, 0, 0, 0},
          {1, 1, 2, 0, 1}};
}
BalsaTree leaf(const std::string& value_type = "fl32") {
  return {3, 4, value_type, {0}, {0}, {0}, {0.1}, {2}};
}

const Rows kFive = {R"({"node":0,"left":1,"right":2,"feature":3,"value":0.5,"label":1})",
                    R"({"node":1,"left":3,"right":4,"feature":0,"value":-1.25,"label":1})",
                    R"({"node":2,"left":0,"right":0,"feature":0,"value":0.0,"label":2})",
                    R"({"node":3,"left":0,"right":0,"feature":0,"value":0.0,"label":0})",
                    R"({"node":4,"left":0,"right":0,"feature":0,"value":0.0,"label":1})"};

std::string forest(const BalsaFile& file, const std::vector<BalsaTree>& trees) {
  std::string all;
  for (const BalsaTree& tree : trees) all += file.tree(tree);
  return file.header() + BalsaFile::ensemble(all);
}
std::shared_ptr<const File> opened_forest(const std::vector<BalsaTree>& trees) {
  return opened(forest(kBalsaFile, trees));
}

TEST(BalsaNodes, ATreeThatStandsAloneIsATableInEitherOrder) {
  for (const auto order : {std::endian::little, std::endian::big}) {
    for (const bool mapped : {true, false}) {
      const BalsaFile file(order);
      const auto balsa = opened(file.header() + file.tree(five()), mapped);
      EXPECT_EQ(rows_of(*balsa, "tree[0]"), kFive);
      EXPECT_EQ(rows_at(*balsa, "tree[0]", {4, 0, 4}), (Rows{kFive[4], kFive[0], kFive[4]}));
      EXPECT_EQ(balsa->table()->group_count(), 0);
    }
  }
}

TEST(BalsaNodes, AForestHasTheNodesOfAllTreesAndTheTrees) {
  for (const auto order : {std::endian::little, std::endian::big}) {
    const auto balsa = opened(forest(BalsaFile(order), {leaf(), five(), leaf()}));
    EXPECT_EQ(rows_of(*balsa, "nodes", {"tree", "node", "left", "label"}),
              (Rows{R"({"tree":0,"node":0,"left":0,"label":2})",
                    R"({"tree":1,"node":0,"left":1,"label":1})",
                    R"({"tree":1,"node":1,"left":3,"label":1})",
                    R"({"tree":1,"node":2,"left":0,"label":2})",
                    R"({"tree":1,"node":3,"left":0,"label":0})",
                    R"({"tree":1,"node":4,"left":0,"label":1})",
                    R"({"tree":2,"node":0,"left":0,"label":2})"}));
    EXPECT_EQ(rows_at(*balsa, "nodes", {6, 1, 0, 2}, {"tree", "right", "feature"}),
              (Rows{R"({"tree":2,"right":0,"feature":0})", R"({"tree":1,"right":2,"feature":3})",
                    R"({"tree":0,"right":0,"feature":0})", R"({"tree":1,"right":4,"feature":0})"}));
    EXPECT_EQ(rows_of(*balsa, "trees", {"tree", "nodes", "leaves", "value_type"}),
              (Rows{R"({"tree":0,"nodes":1,"leaves":1,"value_type":"fl32"})",
                    R"({"tree":1,"nodes":5,"leaves":3,"value_type":"fl32"})",
                    R"({"tree":2,"nodes":1,"leaves":1,"value_type":"fl32"})"}));
  }
}

TEST(BalsaNodes, ATreesOffsetIsThatOfItsMarker) {
  const std::string file = forest(kBalsaFile, {leaf(), five()});
  const uint64_t first = file.find("tree");
  const uint64_t second = file.find("eerttree") + 4;
  EXPECT_EQ(rows_at(*opened(file), "trees", {1, 0}, {"offset"}),
            (Rows{concat(R"({"offset":)", second, '}'), concat(R"({"offset":)", first, '}')}));
}

TEST(BalsaNodes, TheGroupsOfNodesAreItsTrees) {
  const auto balsa = opened_forest({leaf(), five()});
  EXPECT_EQ(balsa->table("nodes")->group_count(), 2);
  EXPECT_EQ(balsa->table("nodes")->group(1).first, 1);
  EXPECT_EQ(balsa->table("nodes")->group(1).last, 6);
  EXPECT_EQ(balsa->table("trees")->group_count(), 0);
}

TEST(BalsaNodes, TheSchemaTellsWhatTheHeaderCounts) {
  const Schema schema = opened_forest({five()})->table("nodes")->schema();
  ASSERT_EQ(schema.size(), 7);
  EXPECT_EQ(schema[4].metadata[0].name, "feature_count");
  EXPECT_EQ(schema[4].metadata[0].text, "4");
  EXPECT_EQ(schema[6].metadata[0].name, "class_count");
  EXPECT_EQ(schema[6].metadata[0].text, "3");
}

TEST(BalsaNodes, AForestWithoutTreesHasTablesWithoutRows) {
  const auto balsa = opened_forest({});
  EXPECT_EQ(rows_of(*balsa, "nodes"), Rows{});
  EXPECT_EQ(rows_of(*balsa, "trees"), Rows{});
  EXPECT_EQ(balsa->table("nodes")->group_count(), 0);
  EXPECT_THAT(verify(*balsa), IsEmpty());
}

TEST(BalsaNodes, ValuesAreFloat64WhereATreesAre) {
  const auto narrow = opened_forest({leaf(), leaf()});
  EXPECT_EQ(narrow->table()->field(5).type, Type::Float32);
  const auto mixed = opened_forest({leaf("fl32"), leaf("fl64"), leaf("fl32")});
  EXPECT_EQ(mixed->table()->field(5).type, Type::Float64);
  EXPECT_EQ(rows_of(*mixed, "nodes", {"value"}),
            (Rows{R"({"value":0.10000000149011612})", R"({"value":0.1})",
                  R"({"value":0.10000000149011612})"}));
  EXPECT_EQ(rows_at(*mixed, "nodes", {2, 1}, {"value"}),
            (Rows{R"({"value":0.10000000149011612})", R"({"value":0.1})"}));
  EXPECT_EQ(
      rows_of(*mixed, "trees", {"value_type"}),
      (Rows{R"({"value_type":"fl32"})", R"({"value_type":"fl64"})", R"({"value_type":"fl32"})"}));
  EXPECT_EQ(sum(projection(*mixed, "nodes", {"value"}), 0), 0.1 + 2 * double{0.1F});
}

// Damages the middle one of three trees: the others can be read, its rows cannot, verify says why.
void expect_only_tree_1_broken(const std::string& file, const std::vector<std::string>& columns,
                               const std::string& why) {
  for (const bool mapped : {true, false}) {
    const auto balsa = opened(file, mapped);
    for (const std::string& column : columns) {
      EXPECT_EQ(rows_at(*balsa, "nodes", {6, 0}, {column}).size(), 2) << column;
      for (int attempt = 0; attempt < 2; ++attempt) {
        for (const uint64_t row : {1, 5}) {
          const Error error = error_of([&] { rows_at(*balsa, "nodes", {0, row}, {column}); });
          EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << column;
          EXPECT_THAT(error.what(), HasSubstr(why));
        }
      }
      EXPECT_EQ(error_of([&] { rows_of(*balsa, "nodes", {column}); }).kind(), ErrorKind::Corrupt);
    }
    EXPECT_EQ(rows_at(*balsa, "trees", {0, 2}).size(), 2);
    EXPECT_EQ(error_of([&] { rows_of(*balsa, "trees", {"leaves"}); }).kind(), ErrorKind::Corrupt);
    EXPECT_THAT(error_of([&] { verify(*balsa); }).what(), HasSubstr(why));
  }
}

template <class Break>
void expect_broken(Break change, const std::string& why) {
  SCOPED_TRACE(why);
  BalsaTree tree = five();
  change(tree);
  const std::string file = forest(kBalsaFile, {leaf(), tree, leaf()});
  expect_only_tree_1_broken(file, {"left", "right", "feature", "value", "label"}, why);
  // Columns that no walk needs can be read nevertheless.
  EXPECT_EQ(rows_of(*opened(file), "nodes", {"tree", "node"}).size(), 7);
}

TEST(BalsaNodes, BrokenPromisesAreFoundAtFirstUse) {
  expect_broken([](BalsaTree& tree) { tree.left[0] = 5; },
                "node 0: expected a left child from 1 to 4, got 5");
  expect_broken([](BalsaTree& tree) { tree.right[1] = UINT32_MAX; },
                "node 1: expected a right child from 1 to 4, got 4294967295");
  expect_broken([](BalsaTree& tree) { tree.right[0] = 0; },
                "node 0: expected a right child from 1 to 4, got 0");
  expect_broken([](BalsaTree& tree) { tree.feature[0] = 4; },
                "node 0: expected a split feature from 0 to 3, got 4");
  expect_broken([](BalsaTree& tree) { tree.label[1] = 3; },
                "node 1: expected a label from 0 to 2, got 3");
  expect_broken([](BalsaTree& tree) { tree.label[4] = 255; },
                "node 4: expected a label from 0 to 2, got 255");
  expect_broken([](BalsaTree& tree) { tree.left[1] = 1; }, "node 1: expected a child");
  expect_broken(
      [](BalsaTree& tree) {
        tree.left = {1, 3, 0, 1, 0};
        tree.right = {2, 4, 0, 4, 0};
      },
      "node 3: expected a child that is not above it, got node 1");
  expect_broken([](BalsaTree& tree) { tree.class_count = 0; },
                "node 0: expected no node with a label, got 1");
}

TEST(BalsaNodes, WhatNoWalkMindsIsNoDamage) {
  const auto expect_whole = [](const auto& change) {
    BalsaTree tree = five();
    change(tree);
    EXPECT_THAT(verify(*opened_forest({leaf(), tree})), IsEmpty());
  };
  // Leaves' features and right children are ignored.
  expect_whole([](BalsaTree& tree) {
    tree.feature[4] = 200;
    tree.right[4] = 200;
  });
  // The tree has children before their parents: root 0 -> 4, 2; 4 -> 1, 3.
  expect_whole([](BalsaTree& tree) {
    tree.left = {4, 0, 0, 0, 1};
    tree.right = {2, 0, 0, 0, 3};
  });
  // Two ways lead to node 2, on one of them backwards.
  expect_whole([](BalsaTree& tree) {
    tree.left = {3, 0, 0, 2, 0};
    tree.right = {2, 0, 0, 1, 0};
  });
  // The tree has a cycle that no walk from the root reaches.
  expect_whole([](BalsaTree& tree) {
    tree.left = {1, 0, 0, 4, 3};
    tree.right = {2, 0, 0, 4, 3};
  });
}

TEST(BalsaNodes, ALongChainIsFollowedWithoutRecursion) {
  constexpr uint32_t kNodes = 200'001;
  BalsaTree chain;
  chain.feature.assign(kNodes, 0);
  chain.value.assign(kNodes, 0);
  chain.label.assign(kNodes, 0);
  chain.left.assign(kNodes, 0);
  chain.right.assign(kNodes, 0);
  // The chain goes from the root to the last node, then downwards; node 1 is a leaf for all.
  chain.left[0] = kNodes - 1;
  for (uint32_t node = 3; node < kNodes; ++node) chain.left[node] = node - 1;
  for (uint32_t node = 0; node < kNodes; ++node) chain.right[node] = chain.left[node] == 0 ? 0 : 1;
  EXPECT_THAT(verify(*opened_forest({chain})), IsEmpty());
  chain.left[3] = 100'000;
  EXPECT_THAT(error_of([&] { verify(*opened_forest({chain})); }).what(),
              HasSubstr("node 3: expected a child that is not above it, got node 100000"));
}

// Expects an error if the tables of tree 1 are whole, but do not make a tree.
void expect_misfit(const std::string& tables, const std::string& why) {
  SCOPED_TRACE(why);
  expect_only_tree_1_broken(
      kBalsaFile.header() +
          BalsaFile::ensemble(kBalsaFile.tree(leaf()) + BalsaFile::tree(five(), tables) +
                              kBalsaFile.tree(leaf())),
      {"tree", "node", "left", "right", "feature", "value", "label"}, why);
}

TEST(BalsaNodes, TablesThatDoNotFitEachOtherAreOneTreesDamage) {
  const BalsaTree tree = five();
  const std::string left = kBalsaFile.array("ui32", tree.left);
  const std::string right = kBalsaFile.array("ui32", tree.right);
  const std::string feature = kBalsaFile.array("ui08", tree.feature);
  const std::string value = kBalsaFile.values(tree);
  const std::string label = kBalsaFile.array("ui08", tree.label);
  expect_misfit(left + right + feature + value + kBalsaFile.array<uint8_t>("ui08", {1, 1, 2, 0}),
                "expected labels as 5 x 1 ui08");
  expect_misfit(left + right + value + feature + label, "expected split features as 5 x 1 ui08");
  expect_misfit(left + right + kBalsaFile.array("in08", tree.feature) + value + label,
                "got 5 x 1 in08");
  expect_misfit(left + right + feature + kBalsaFile.array("fl64", tree.value) + label,
                "expected split values as 5 x 1 fl32");
  expect_misfit(
      left + kBalsaFile.table("ui32", 5, 2, std::vector<uint32_t>(10)) + feature + value + label,
      "expected right child ids as 5 x 1 ui32 in the table at byte");
}

TEST(BalsaNodes, ADamagedTreeHasNoRowsThatTheFileHasNoRoomFor) {
  const std::string claiming = kBalsaFile.table<uint32_t>("ui32", UINT32_MAX, 0, {});
  std::string five_tables;
  for (int i = 0; i < 5; ++i) five_tables += claiming;
  const auto balsa =
      opened(kBalsaFile.header() +
             BalsaFile::ensemble(BalsaFile::tree(five(), five_tables) + kBalsaFile.tree(leaf())));
  EXPECT_EQ(rows_of(*balsa, "nodes").size(), 1);
  EXPECT_EQ(error_of([&] { verify(*balsa); }).kind(), ErrorKind::Corrupt);
}

TEST(BalsaNodes, TablesOfATreeMayHaveOtherKeys) {
  const auto array = [](const std::string& type_id, const auto& cells) {
    return kBalsaFile.table(
        BalsaFile::dictionary({kBalsaFile.ui32("row_count", static_cast<uint32_t>(cells.size())),
                               BalsaFile::strn("note", "a longer header"),
                               kBalsaFile.ui32("column_count", 1),
                               BalsaFile::strn("scalar_type_id", type_id)}),
        cells);
  };
  const BalsaTree tree = five();
  const std::vector<float> value(tree.value.begin(), tree.value.end());
  const std::string usual_left = kBalsaFile.array("ui32", tree.left);
  for (const std::string& left : {array("ui32", tree.left), usual_left}) {
    const auto balsa = opened(
        kBalsaFile.header() +
        BalsaFile::tree(tree, left + array("ui32", tree.right) + array("ui08", tree.feature) +
                                  array("fl32", value) + array("ui08", tree.label)) +
        kBalsaFile.tree(leaf()));
    EXPECT_EQ(rows_of(*balsa, "tree[0]"), kFive);
    EXPECT_EQ(rows_of(*balsa, "tree[1]").size(), 1);
    EXPECT_THAT(verify(*balsa), IsEmpty());
  }
}

// Both ends have the offsets that they would have if no header were longer: the middle headers are
// read, and found wrong, at first use.
TEST(BalsaNodes, HeadersThatWereNotReadOnOpeningAreReadAtFirstUse) {
  const BalsaTree tree = five();
  const std::string tables = kBalsaFile.array("ui32", tree.left) +
                             kBalsaFile.array("ui32", tree.right) +
                             kBalsaFile.array("ui08", tree.feature) + kBalsaFile.values(tree) +
                             kBalsaFile.array("ui08", tree.label);
  const auto broken_at = [&](uint64_t at, const std::string& bytes, const std::string& why) {
    std::string changed = tables;
    expect_misfit(changed.replace(at, bytes.size(), bytes), why);
  };
  const uint64_t right = kBalsaFile.array("ui32", tree.left).size();
  broken_at(right, "tabx", R"(expected "tabl", got "tabx")");
  broken_at(right - 4, "lbax", R"(expected "lbat", got "lbax")");
  broken_at(right + 4, "dicx", R"(expected "dict", got "dicx")");
}

// A header is longer, and the labels hold what would be behind the tree if none were: two markers
// and a table that goes on to the end of the file.
TEST(BalsaNodes, ATreeThatSeemsToEndInItsLabelsIsDamaged) {
  const std::string behind = kBalsaFile.table<uint8_t>("ui08", 2, 1, {1, 2});
  const auto cells = static_cast<uint32_t>(8 + behind.size() - 4);
  const std::string seeming = kBalsaFile.table<uint8_t>("ui08", cells, 1, {});
  const std::string hidden = "lbateert" + seeming.substr(0, seeming.size() - 4);
  BalsaTree tree{255, 4, "fl32", {}, {}, {}, {}, {hidden.begin(), hidden.end()}};
  tree.left.assign(hidden.size(), 0);
  tree.right.assign(hidden.size(), 0);
  tree.feature.assign(hidden.size(), 0);
  tree.value.assign(hidden.size(), 0);
  const std::string longer = BalsaFile::strn("k", std::string(hidden.size() - 7, ' '));
  const auto rows = static_cast<uint32_t>(hidden.size());
  const std::string right =
      kBalsaFile.table(BalsaFile::dictionary({longer, kBalsaFile.ui32("row_count", rows),
                                              kBalsaFile.ui32("column_count", 1),
                                              BalsaFile::strn("scalar_type_id", "ui32")}),
                       tree.right);
  const auto balsa = opened(kBalsaFile.header() +
                              BalsaFile::tree(tree, kBalsaFile.array("ui32", tree.left) + right +
                                                        kBalsaFile.array("ui08", tree.feature) +
                                                        kBalsaFile.values(tree) +
                                                        kBalsaFile.array("ui08", tree.label)) +
                              behind);
  EXPECT_THAT(error_of([&] { rows_of(*balsa, "tree[0]"); }).what(),
              HasSubstr("expected its tables where its shape"));
  EXPECT_EQ(error_of([&] { verify(*balsa); }).kind(), ErrorKind::Corrupt);
}

TEST(BalsaNodes, ATreeNeedsARoot) {
  const BalsaTree none{3, 4, "fl32", {}, {}, {}, {}, {}};
  const auto balsa = opened_forest({none, leaf()});
  EXPECT_EQ(rows_of(*balsa, "nodes").size(), 1);
  EXPECT_THAT(error_of([&] { verify(*balsa); }).what(), HasSubstr("expected at least a root"));
  const auto alone = opened(kBalsaFile.header() + kBalsaFile.tree(none));
  EXPECT_EQ(alone->table()->rows(), 0);
  EXPECT_THAT(error_of([&] { verify(*alone); }).what(), HasSubstr("expected at least a root"));
}

TEST(BalsaNodes, OpeningAForestDoesNotGrowWithItsNodes) {
  const TempFolder folder;
  constexpr uint64_t kTrees = 20;
  const auto bytes_read = [&](uint32_t nodes) {
    BalsaTree tree;
    tree.left.assign(nodes, 0);
    tree.right.assign(nodes, 0);
    tree.feature.assign(nodes, 0);
    tree.value.assign(nodes, 0);
    tree.label.assign(nodes, 0);
    OpenOptions options;
    options.mmap = false;
    const auto balsa =
        open(folder.write("f.balsa", forest(kBalsaFile, std::vector(kTrees, tree))), options);
    EXPECT_EQ(balsa->table()->rows(), kTrees * nodes);
    return internals(*balsa).bytes->bytes_read();
  };
  EXPECT_LT(bytes_read(1000), (kTrees + 1) * 1024);
  EXPECT_EQ(bytes_read(10'000), bytes_read(1000));
}

}  // namespace
}  // namespace heron::test
