// Rows that are nodes of trees become a forest, whatever their integer types, or an error that
// names the fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"
#include "temp_folder.h"

namespace heron::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

// The forest has two trees, of three nodes and of one.
struct NodeCells {
  std::vector<int64_t> tree{0, 0, 0, 1};
  std::vector<int64_t> node{0, 1, 2, 0};
  std::vector<int64_t> left{1, 0, 0, 0};
  std::vector<int64_t> right{2, 0, 0, 0};
  std::vector<int64_t> feature{2, 0, 0, 0};
  std::vector<double> value{0.1, 0, 0, 0};
  std::vector<int64_t> label{0, 1, 0, 2};
};

template <class To, class From>
std::vector<To> cells_as(const std::vector<From>& cells) {
  return {cells.begin(), cells.end()};
}

RowSourcePtr rows_of_nodes(const NodeCells& nodes, bool in_parts = false) {
  TableMaker maker(nodes.node.size());
  if (in_parts) maker.block_rows = 2;
  maker.fixed("tree", Type::Int64, nodes.tree).fixed("node", Type::Int64, nodes.node);
  maker.fixed("left", Type::Int64, nodes.left).fixed("right", Type::Int64, nodes.right);
  maker.fixed("feature", Type::Int64, nodes.feature).fixed("value", Type::Float64, nodes.value);
  maker.fixed("label", Type::Int64, nodes.label);
  return table_rows(Query(maker.table(!in_parts)));
}

class ForestOfRows : public testing::Test {
 protected:
  std::string path() const { return folder_ / "f.balsa"; }

  ConvertReport write(const RowSourcePtr& rows, ConvertOptions options = {}) const {
    options.write.replace = true;
    return convert(rows, path(), options);
  }
  std::vector<std::string> written(const std::vector<std::string>& columns) const {
    const auto table = open(path())->table();
    return json_rows(read(Projection(table, columns), {0, table->rows()}));
  }
  std::string metadata(const std::string& column) const {
    const auto table = open(path())->table();
    return table->metadata(*table->find_column(column)).at(0).text;
  }
  std::string refusal(const RowSourcePtr& rows, ConvertOptions options = {}) const {
    const std::string text = error_of(ErrorKind::Argument, [&] { convert(rows, path(), options); });
    EXPECT_EQ(folder_.file_count(), 0);
    EXPECT_EQ(text.find('\n'), text.npos);
    return text;
  }
  std::string refusal(const std::function<void(NodeCells&)>& change) const {
    NodeCells nodes;
    change(nodes);
    const std::string text = refusal(rows_of_nodes(nodes));
    EXPECT_EQ(refusal(rows_of_nodes(nodes, true)), text);
    return text;
  }

  TempFolder folder_{memory_folder()};
};

TEST_F(ForestOfRows, IntegersOfAnyTypeInAnyOrderOfColumns) {
  const ConvertReport report = write(rows_of_nodes({}));
  EXPECT_EQ(report.rows, 4);
  EXPECT_EQ(report.columns.size(), 7);
  const auto expected = written({"tree", "node", "left", "right", "feature", "value", "label"});
  EXPECT_THAT(expected,
              testing::ElementsAre(
                  R"({"tree":0,"node":0,"left":1,"right":2,"feature":2,"value":0.1,"label":0})",
                  R"({"tree":0,"node":1,"left":0,"right":0,"feature":0,"value":0.0,"label":1})",
                  R"({"tree":0,"node":2,"left":0,"right":0,"feature":0,"value":0.0,"label":0})",
                  R"({"tree":1,"node":0,"left":0,"right":0,"feature":0,"value":0.0,"label":2})"));
  EXPECT_EQ(metadata("label"), "3");
  EXPECT_EQ(metadata("feature"), "3");

  const NodeCells nodes;
  TableMaker maker(4);
  maker.fixed("label", Type::UInt8, cells_as<uint8_t>(nodes.label));
  maker.fixed("value", Type::Float64, nodes.value);
  maker.fixed("right", Type::UInt64, cells_as<uint64_t>(nodes.right));
  maker.fixed("left", Type::Int16, cells_as<int16_t>(nodes.left));
  maker.fixed("feature", Type::Int8, cells_as<int8_t>(nodes.feature));
  maker.fixed("tree", Type::UInt16, cells_as<uint16_t>(nodes.tree));
  maker.fixed("node", Type::UInt32, cells_as<uint32_t>(nodes.node));
  ConvertOptions counts;
  counts.write.set("class_count", 7);
  counts.write.set("feature_count", 255);
  write(table_rows(Query(maker.table())), counts);
  EXPECT_EQ(written({"tree", "node", "left", "right", "feature", "value", "label"}), expected);
  EXPECT_EQ(metadata("label"), "7");
  EXPECT_EQ(metadata("feature"), "255");
}

TEST_F(ForestOfRows, TreesAreNumberedAnew) {
  NodeCells nodes;
  nodes.tree = {3, 3, 3, 900};
  write(rows_of_nodes(nodes));
  EXPECT_THAT(written({"tree"}), testing::ElementsAre(R"({"tree":0})", R"({"tree":0})",
                                                      R"({"tree":0})", R"({"tree":1})"));
}

TEST_F(ForestOfRows, OneTreeNeedsNoNumber) {
  TableMaker maker(1);
  for (const char* name : {"node", "left", "right", "feature", "label"}) {
    maker.fixed<int32_t>(name, Type::Int32, {0});
  }
  maker.fixed<float>("value", Type::Float32, {0.5F});
  write(table_rows(Query(maker.table())));
  EXPECT_THAT(written({"tree", "node", "value"}),
              testing::ElementsAre(R"({"tree":0,"node":0,"value":0.5})"));
  EXPECT_EQ(open(path())->table()->field(5).type, Type(Type::Float32));
}

TEST_F(ForestOfRows, ANullValueIsNaN) {
  TableMaker maker(1);
  for (const char* name : {"node", "left", "right", "feature", "label"}) {
    maker.fixed<int32_t>(name, Type::Int32, {0});
  }
  maker.fixed<double>("value", Type::Float64, {0.5}, NullEncoding::Bitmap, {false});
  write(table_rows(Query(maker.table())));
  EXPECT_THAT(written({"value"}), testing::ElementsAre(R"({"value":"NaN"})"));
}

TEST_F(ForestOfRows, NamesWhatIsWrong) {
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.left[0] = -1; }),
              EndsWith("column \"left\": expected 0 to 4294967295 in row 0, got -1"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.right[3] = int64_t{1} << 32; }),
              EndsWith("column \"right\": expected 0 to 4294967295 in row 3, got 4294967296"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.feature[2] = 256; }),
              EndsWith("column \"feature\": expected 0 to 255 in row 2, got 256"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.label[3] = 1000; }),
              EndsWith("column \"label\": expected 0 to 255 in row 3, got 1000"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.label[3] = 255; }),
              EndsWith("tree 1: node 0: expected a label from 0 to 254, got 255"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.tree[3] = -7; }),
              HasSubstr("column \"tree\": expected 0 to "));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.node[1] = 2; }),
              EndsWith("tree 0: expected node 1 in row 1, got node 2"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.node[0] = 1; }),
              EndsWith("tree 0: expected node 0 in row 0, got node 1"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.tree[3] = 0; }),
              EndsWith("tree 0: expected node 3 in row 3, got node 0"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.tree = {5, 5, 5, 4}; }),
              EndsWith("tree 4: expected a tree after 5 in row 3"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.tree = {5, 5, 5, 8}, nodes.left[3] = 1; }),
              EndsWith("tree 8: node 0: expected no node with a left child, got 1"));
  EXPECT_THAT(refusal([](NodeCells& nodes) { nodes.left[1] = 1, nodes.right[1] = 2; }),
              EndsWith("tree 0: node 1: expected a child that is not above it, got node 1"));
}

TEST_F(ForestOfRows, NamesANullAmongIntegers) {
  const NodeCells nodes;
  TableMaker maker(4);
  maker.fixed("node", Type::Int64, nodes.node).fixed("left", Type::Int64, nodes.left);
  maker.fixed("right", Type::Int64, nodes.right).fixed("value", Type::Float64, nodes.value);
  maker.fixed("feature", Type::Int64, nodes.feature).fixed("tree", Type::Int64, nodes.tree);
  maker.fixed("label", Type::Int64, nodes.label, NullEncoding::Bitmap, {true, true, false, true});
  EXPECT_THAT(refusal(table_rows(Query(maker.table()))),
              EndsWith("column \"label\": expected 0 to 255 in row 2, got a null"));
}

TEST_F(ForestOfRows, OtherRowsAreATable) {
  const NodeCells nodes;
  const auto maker = [&](const char* last, Type::Id type) {
    TableMaker made(4);
    for (const char* name : {"node", "left", "right", "value", "feature"}) {
      made.fixed("node" == std::string(name) ? last : name, type, cells_as<double>(nodes.left));
    }
    made.fixed("label", type, nodes.value);
    return table_rows(Query(made.table()));
  };
  EXPECT_FALSE(is_forest(*maker("node", Type::Float64)));  // numbers of nodes are integers
  EXPECT_FALSE(is_forest(*maker("knot", Type::Float64)));
  write(maker("node", Type::Float64));
  EXPECT_EQ(open(path())->table()->name(), "table[0]");
  // The rows have the columns of a forest, and one more.
  EXPECT_FALSE(is_forest(
      *table_rows(Query(TableMaker(4).fixed("node", Type::Int64, nodes.node).table()))));
  EXPECT_EQ(error_of([&] { merge_forests({maker("node", Type::Float64)}, path()); }).kind(),
            ErrorKind::Argument);
  EXPECT_EQ(error_of([&] { merge_forests({}, path()); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(error_of([&] { merge_forests({nullptr}, path()); }).kind(), ErrorKind::Argument);
}

TEST_F(ForestOfRows, AForestIsOneFileInTheOrderOfItsTrees) {
  ConvertOptions key, parts;
  key.key = {"label"};
  parts.rows_per_file = 2;
  EXPECT_THAT(refusal(rows_of_nodes({}), key), HasSubstr("cannot be sorted by a key"));
  EXPECT_THAT(refusal(rows_of_nodes({}), parts), HasSubstr("is one file"));
}

TEST_F(ForestOfRows, AlsoInAContainer) {
  const std::string packed = folder_ / "f.balsa.gz";
  const ConvertReport report = convert(rows_of_nodes({}), packed);
  EXPECT_EQ(report.bytes, std::filesystem::file_size(packed));
  write(rows_of_nodes({}));
  EXPECT_EQ(error_of([&] { convert(rows_of_nodes({}), packed); }).kind(), ErrorKind::Write);
  unwrap(packed, folder_ / "g.balsa");
  EXPECT_EQ(folder_.read("g.balsa"), folder_.read("f.balsa"));
}

TEST_F(ForestOfRows, SourcesOfTheirOwnFiles) {
  NodeCells bad;
  bad.label[0] = -1;
  const std::string second = folder_ / "g.balsa";
  error_of(ErrorKind::Argument,
           [&] { convert({rows_of_nodes({}), rows_of_nodes(bad)}, {path(), second}); });
  EXPECT_EQ(folder_.file_count(), 0);
  EXPECT_EQ(convert({rows_of_nodes({}), rows_of_nodes({})}, {path(), second}).rows, 8);
  EXPECT_EQ(folder_.read("g.balsa"), folder_.read("f.balsa"));
}

class MergedForests : public ForestOfRows {
 protected:
  // Writes a forest of one leaf for each label.
  std::string forest(const std::string& name, const ForestShape& shape,
                     const std::vector<uint8_t>& labels, bool wide = false) const {
    const auto writer = create_forest(folder_ / name, shape);
    const uint32_t child = 0;
    const uint8_t feature = 0;
    const float narrow_value = 0.5F;
    const double wide_value = 0.1;
    for (const uint8_t& label : labels) {
      TreeNodes nodes{{&child, 1}, {&child, 1}, {&feature, 1}, {}, {&label, 1}};
      if (wide) {
        nodes.value = std::span(&wide_value, 1);
      } else {
        nodes.value = std::span(&narrow_value, 1);
      }
      writer->add(nodes);
    }
    writer->close();
    writer->publish();
    return folder_ / name;
  }
  static RowSourcePtr rows(const std::string& file) {
    return table_rows(Query(open(file)->table()));
  }
};

TEST_F(MergedForests, HaveAllTreesInOrder) {
  const std::string a = forest("a.balsa", {3, 4}, {2, 0}), b = forest("b.balsa", {3, 4}, {}),
                    c = forest("c.balsa", {3, 4}, {1}, true);
  const ConvertReport report = merge_forests({rows(a), rows(b), rows(c), rows(a)}, path());
  EXPECT_EQ(report.rows, 5);
  EXPECT_EQ(report.files, std::vector<std::string>{path()});
  const auto labels = [](uint64_t tree, int label, double value) {
    return concat(R"({"tree":)", tree, R"(,"label":)", label, R"(,"value":)", value, '}');
  };
  EXPECT_THAT(written({"tree", "label", "value"}),
              testing::ElementsAre(labels(0, 2, 0.5), labels(1, 0, 0.5), labels(2, 1, 0.1),
                                   labels(3, 2, 0.5), labels(4, 0, 0.5)));
  const auto table = open(path())->table("trees");
  EXPECT_THAT(json_rows(read(Projection(table, {"value_type"}), {0, 5})),
              testing::ElementsAre(R"({"value_type":"fl32"})", R"({"value_type":"fl32"})",
                                   R"({"value_type":"fl64"})", R"({"value_type":"fl32"})",
                                   R"({"value_type":"fl32"})"));
}

TEST_F(MergedForests, FilesOfOneTableAreMerged) {
  const std::string a = forest("a.balsa", {3, 4}, {2, 0}), b = forest("b.balsa", {3, 4}, {1});
  convert(table_rows(Query(open({a, b, a})->table())), path());
  merge_forests({rows(a), rows(b), rows(a)}, folder_ / "g.balsa");
  EXPECT_EQ(folder_.read("f.balsa"), folder_.read("g.balsa"));
  // Some rows of the file are one source, whose trees have to ascend.
  Query some(open({a, b})->table());
  some.range = RowRange{1, 3};
  EXPECT_THAT(error_of(ErrorKind::Argument,
                       [&] { convert(table_rows(some), folder_ / "h.balsa"); }),
              HasSubstr("expected a tree after 1"));
}

TEST_F(MergedForests, NamesBothFilesOfOtherCounts) {
  const std::string a = forest("a.balsa", {3, 4}, {2}), b = forest("b.balsa", {4, 4}, {2}),
                    c = forest("c.balsa", {3, 5}, {2});
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { merge_forests({rows(a), rows(b)}, path()); }),
            concat(b, ": expected a forest of 3 classes, as in ", a, ", got 4"));
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { merge_forests({rows(a), rows(c)}, path()); }),
            concat(c, ": expected a forest of 4 features, as in ", a, ", got 5"));
  EXPECT_EQ(error_of(ErrorKind::Argument,
                     [&] { convert(table_rows(Query(open({a, b})->table())), path()); }),
            concat(b, ": expected a forest of 3 classes, as in ", a, ", got 4"));
  EXPECT_EQ(folder_.file_count(), 3);
}

// NodeCells with one to three arbitrary cells become a forest that can be read, or one error and
// no file.
TEST_F(ForestOfRows, AnyRowsAreAForestOrAnError) {
  std::mt19937_64 random(5);
  uint64_t forests = 0;
  for (uint64_t round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    NodeCells nodes;
    for (uint64_t changes = random() % 3; changes > 0; --changes) {
      std::vector<int64_t>* columns[] = {&nodes.tree,  &nodes.node,    &nodes.left,
                                         &nodes.right, &nodes.feature, &nodes.label};
      constexpr int64_t kCells[] = {-1,  0,   1,   2,        3,         4,
                                    254, 255, 256, 1L << 32, INT64_MIN, INT64_MAX};
      (*columns[random() % 6])[random() % 4] = kCells[random() % std::size(kCells)];
    }
    try {
      write(rows_of_nodes(nodes, random() % 2 == 0));
      EXPECT_TRUE(verify(*open(path())).empty());
      ++forests;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Argument) << error.what();
      EXPECT_EQ(folder_.file_count(), 0);
    }
    std::filesystem::remove(path());
  }
  EXPECT_GT(forests, 100);
  EXPECT_LT(forests, 450);
}

}  // namespace
}  // namespace heron::test
