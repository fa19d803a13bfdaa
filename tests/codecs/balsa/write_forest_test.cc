// Forests are written as the format's own library writes them, byte for byte, and only if reading
// accepts them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>

#include "base/fail.h"
#include "error_of.h"
#include "kit/balsa_file.h"
#include "kit/real_files.h"
#include "opened_file.h"
#include "temp_folder.h"

namespace heron::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

constexpr std::endian kLittle = std::endian::little;
constexpr std::endian kBig = std::endian::big;

// Returns a tree of an inner root, an inner node, three leaves.
BalsaTree five_nodes(const std::string& value_type = "fl32") {
  return {3,
          4,
          value_type,
          {1, 3, 0, 0, 0},
          {2, 4, 0, 0, 0},
          {3, 0, 0, 0, 0},
          {0.1, -1.25, 0, 0, 0},
          {1, 1, 2, 0, 1}};
}
BalsaTree one_leaf(const std::string& value_type = "fl32") {
  return {3, 4, value_type, {0}, {7}, {9}, {0.1}, {2}};
}

void add(ForestWriter& writer, const BalsaTree& tree) {
  TreeNodes nodes{tree.left, tree.right, tree.feature, std::span<const double>(tree.value),
                  tree.label};
  const std::vector<float> floats(tree.value.begin(), tree.value.end());
  if (tree.value_type == "fl32") nodes.value = std::span<const float>(floats);
  writer.add(nodes);
}

// Returns the file that the library writes, whose dictionaries are sorted by key.
std::string canonical(const std::vector<BalsaTree>& trees, std::endian order, uint8_t classes = 3,
                      uint8_t features = 4) {
  const BalsaFile file(order);
  const auto table = [&](std::string_view id, const auto& cells) {
    return file.table(
        BalsaFile::dictionary({file.ui32("column_count", 1),
                               file.ui32("row_count", static_cast<uint32_t>(cells.size())),
                               BalsaFile::strn("scalar_type_id", id)}),
        cells);
  };
  std::string all;
  for (BalsaTree tree : trees) {
    tree.class_count = classes;
    tree.feature_count = features;
    const std::vector<float> floats(tree.value.begin(), tree.value.end());
    all += BalsaFile::tree(
        tree, table("ui32", tree.left) + table("ui32", tree.right) + table("ui08", tree.feature) +
                  (tree.value_type == "fl32" ? table("fl32", floats) : table("fl64", tree.value)) +
                  table("ui08", tree.label));
  }
  return file.header() + BalsaFile::ensemble(all, classes, features);
}

class ForestWriting : public testing::Test {
 protected:
  std::string path() const { return folder_ / "f.balsa"; }
  static WriteOptions options(std::endian order = kLittle) {
    WriteOptions options;
    options.replace = true;
    options.set("order", order == std::endian::big ? "big" : "little");
    return options;
  }

  std::string write(const std::vector<BalsaTree>& trees, const ForestShape& shape,
                    const WriteOptions& options) const {
    const auto writer = create_forest(path(), shape, options);
    for (const BalsaTree& tree : trees) add(*writer, tree);
    EXPECT_EQ(writer->trees(), trees.size());
    writer->close();
    writer->publish();
    EXPECT_EQ(writer->bytes_written(), std::filesystem::file_size(path()));
    return folder_.read("f.balsa");
  }
  // Returns the error of writing one tree; expects no file.
  std::string refusal(const BalsaTree& tree, const ForestShape& shape = {3, 4}) const {
    const auto writer = create_forest(path(), shape);
    add(*writer, one_leaf());
    const std::string text = error_of(ErrorKind::Argument, [&] { add(*writer, tree); });
    EXPECT_THAT(error_of(ErrorKind::Argument, [&] { add(*writer, one_leaf()); }),
                HasSubstr("cannot be written to any more"));
    error_of(ErrorKind::Argument, [&] { writer->close(); });
    error_of(ErrorKind::Argument, [&] { writer->publish(); });
    EXPECT_EQ(folder_.file_count(), 0);
    EXPECT_THAT(text, testing::StartsWith(path() + ": tree 1: "));
    EXPECT_EQ(text.find('\n'), text.npos);
    return text;
  }

  TempFolder folder_{memory_folder()};
};

TEST_F(ForestWriting, AsTheLibraryInEitherOrder) {
  for (const std::endian order : {kLittle, kBig}) {
    const std::vector<BalsaTree> trees = {five_nodes(), one_leaf("fl64"), five_nodes("fl64"),
                                          one_leaf()};
    EXPECT_EQ(write(trees, {3, 4}, options(order)), canonical(trees, order));
    EXPECT_EQ(write({}, {3, 4}, options(order)), canonical({}, order));
    EXPECT_EQ(write(trees, {255, 255}, options(order)), canonical(trees, order, 255, 255));
  }
}

TEST_F(ForestWriting, CountsThatAreNotKnownAreThoseOfTheNodes) {
  for (const std::endian order : {kLittle, kBig}) {
    EXPECT_EQ(write({five_nodes(), one_leaf()}, {}, options(order)),
              canonical({five_nodes(), one_leaf()}, order));
    EXPECT_EQ(write({five_nodes(), one_leaf()}, {7, 0}, options(order)),
              canonical({five_nodes(), one_leaf()}, order, 7, 4));
    EXPECT_EQ(write({five_nodes(), one_leaf()}, {0, 9}, options(order)),
              canonical({five_nodes(), one_leaf()}, order, 3, 9));
    // Without inner nodes, the features of leaves do not count.
    EXPECT_EQ(write({one_leaf()}, {}, options(order)), canonical({one_leaf()}, order, 3, 1));
  }
  WriteOptions given = options();
  given.set("class_count", 5);
  given.set("feature_count", 6);
  EXPECT_EQ(write({five_nodes()}, {3, 4}, given), canonical({five_nodes()}, kLittle, 5, 6));
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { write({}, {0, 4}, options()); }),
              HasSubstr("counts of a forest without trees have to be given"));
}

TEST_F(ForestWriting, RefusesCountsThatDoNotFit) {
  for (const uint64_t count : {uint64_t{256}, uint64_t{1} << 32, UINT64_MAX}) {
    EXPECT_THAT(error_of(ErrorKind::Argument, [&] { create_forest(path(), {count, 4}); }),
                HasSubstr(concat("has 1 to 255 classes, got ", count)));
    EXPECT_THAT(error_of(ErrorKind::Argument, [&] { create_forest(path(), {3, count}); }),
                HasSubstr(concat("has 1 to 255 features, got ", count)));
  }
  EXPECT_EQ(folder_.file_count(), 0);
}

TEST_F(ForestWriting, NamesTreeAndNodeOfWhatReadingWouldRefuse) {
  const auto changed = [](const std::function<void(BalsaTree&)>& change) {
    BalsaTree tree = five_nodes();
    change(tree);
    return tree;
  };
  EXPECT_THAT(refusal(changed([](BalsaTree& tree) { tree.left[1] = 5; })),
              EndsWith("node 1: expected a left child from 1 to 4, got 5"));
  EXPECT_THAT(refusal(changed([](BalsaTree& tree) { tree.right[0] = 0; })),
              EndsWith("node 0: expected a right child from 1 to 4, got 0"));
  EXPECT_THAT(refusal(changed([](BalsaTree& tree) { tree.right[0] = UINT32_MAX; })),
              EndsWith("node 0: expected a right child from 1 to 4, got 4294967295"));
  EXPECT_THAT(refusal(changed([](BalsaTree& tree) { tree.feature[1] = 4; })),
              EndsWith("node 1: expected a split feature from 0 to 3, got 4"));
  EXPECT_THAT(refusal(changed([](BalsaTree& tree) { tree.label[1] = 3; })),
              EndsWith("node 1: expected a label from 0 to 2, got 3"));
  EXPECT_THAT(refusal(changed([](BalsaTree& tree) { tree.right[1] = 1; })),
              EndsWith("node 1: expected a child that is not above it, got node 1"));
  EXPECT_THAT(refusal(changed([](BalsaTree& tree) {
                tree.left[2] = 1;
                tree.right[2] = 3;
                tree.left[1] = 2;
              })),
              HasSubstr("expected a child that is not above it, got node"));
  // Unknown counts are limited to 255, too.
  EXPECT_THAT(refusal(changed([](BalsaTree& tree) { tree.label[1] = 255; }), {}),
              EndsWith("node 1: expected a label from 0 to 254, got 255"));
  EXPECT_THAT(refusal(changed([](BalsaTree& tree) { tree.feature[1] = 255; }), {}),
              EndsWith("node 1: expected a split feature from 0 to 254, got 255"));
}

TEST_F(ForestWriting, RefusesArraysThatDoNotMatch) {
  const auto shorter = [&](const char* name, auto BalsaTree::* array) {
    BalsaTree tree = five_nodes();
    (tree.*array).pop_back();
    EXPECT_THAT(refusal(tree),
                EndsWith(concat("expected as many elements of ", name, " as of left, 5, got 4")));
    tree = five_nodes();
    (tree.*array).push_back(0);
    EXPECT_THAT(refusal(tree), EndsWith("got 6"));
  };
  shorter("right", &BalsaTree::right);
  shorter("feature", &BalsaTree::feature);
  shorter("value", &BalsaTree::value);
  shorter("label", &BalsaTree::label);
  BalsaTree longer = five_nodes();
  longer.left.push_back(0);
  EXPECT_THAT(refusal(longer), EndsWith("expected as many elements of right as of left, 6, got 5"));
  const BalsaTree none{3, 4, "fl32", {}, {}, {}, {}, {}};
  EXPECT_THAT(refusal(none), EndsWith("expected at least a root, got no nodes"));
}

TEST_F(ForestWriting, FilesAppearWholeOrNotAtAll) {
  {
    const auto writer = create_forest(path(), {3, 4});
    add(*writer, five_nodes());
    error_of(ErrorKind::Argument, [&] { writer->publish(); });
  }
  EXPECT_EQ(folder_.file_count(), 0);
  std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  const auto writer = create_forest(path(), {3, 4}, {}, context);
  EXPECT_EQ(error_of([&] { add(*writer, five_nodes()); }).kind(), ErrorKind::Cancelled);
  folder_.write("f.balsa", "mine");
  EXPECT_EQ(error_of([&] { create_forest(path(), {3, 4}); }).kind(), ErrorKind::Write);
  EXPECT_EQ(folder_.read("f.balsa"), "mine");
}

TEST_F(ForestWriting, OtherFormatsHoldNone) {
  for (const std::string format : {"jay", "idv", "csv", "gzip"}) {
    WriteOptions options;
    options.format = format;
    EXPECT_THAT(error_of(ErrorKind::Unsupported, [&] { create_forest(path(), {3, 4}, options); }),
                HasSubstr(concat("format \"", format, "\" cannot store a forest; expected balsa")));
    EXPECT_FALSE(stores_forests(format));
  }
  EXPECT_TRUE(stores_forests("balsa"));
  WriteOptions keys;
  keys.key_columns = 1;
  error_of(ErrorKind::Argument, [&] { create_forest(path(), {3, 4}, keys); });
  WriteOptions others;
  others.set("block_rows", 5);
  error_of(ErrorKind::Argument, [&] { create_forest(path(), {3, 4}, others); });
  error_of(ErrorKind::Argument, [&] { create_forest(folder_ / "f.unknown", {3, 4}); });
  WriteOptions counts;
  counts.set("class_count", 3);
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { create(path(), {}, counts); }),
              HasSubstr("are for a forest, not for a table"));
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { create(folder_ / "x.jay", {}, counts); }),
              HasSubstr("\"class_count\" of format \"balsa\" does not apply to format \"jay\""));
  EXPECT_EQ(folder_.file_count(), 0);
}

// Returns a tree of any shape that reading accepts: children before their parents, nodes that
// nothing reaches, and nodes that two paths reach.
BalsaTree random_nodes(std::mt19937_64& random, uint32_t classes, uint32_t features) {
  const auto below = [&](uint64_t end) { return static_cast<uint32_t>(random() % end); };
  const uint32_t nodes = 1 + below(random() % 8 == 0 ? 3000 : 40);
  std::vector<uint32_t> at(nodes);  // a topological order of the nodes
  for (uint32_t i = 0; i < nodes; ++i) at[i] = i;
  if (random() % 2 == 0) std::shuffle(at.begin() + 1, at.end(), random);
  constexpr double kSpecial[] = {0.0,
                                 -0.0,
                                 1e-310,
                                 -1e300,
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()};
  BalsaTree tree;
  tree.value_type = random() % 2 == 0 ? "fl32" : "fl64";
  tree.left.resize(nodes);
  tree.right.resize(nodes);
  for (uint32_t i = 0; i < nodes; ++i) {
    tree.feature.push_back(static_cast<uint8_t>(below(features)));
    tree.label.push_back(static_cast<uint8_t>(below(classes)));
    const bool special = random() % 4 == 0;
    tree.value.push_back(special ? kSpecial[below(std::size(kSpecial))]
                                 : std::ldexp(static_cast<double>(random()), -70));
    if (i + 1 == nodes || random() % 3 == 0) continue;
    tree.left[at[i]] = at[i + 1 + below(nodes - i - 1)];
    tree.right[at[i]] = at[i + 1 + below(nodes - i - 1)];
  }
  return tree;
}

TEST_F(ForestWriting, RandomForestsAreReadAsTheyWereWritten) {
  std::mt19937_64 random(11);
  for (uint64_t round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const auto classes = static_cast<uint32_t>(1 + random() % 255);
    const auto features = static_cast<uint32_t>(1 + random() % 255);
    const std::endian order = random() % 2 == 0 ? kLittle : kBig;
    std::vector<BalsaTree> trees;
    for (uint64_t i = random() % 9; i > 0; --i)
      trees.push_back(random_nodes(random, classes, features));
    const std::string bytes = write(trees, {classes, features}, options(order));
    ASSERT_EQ(bytes, canonical(trees, order, static_cast<uint8_t>(classes),
                               static_cast<uint8_t>(features)));
    const auto opened = open(path());
    EXPECT_TRUE(verify(*opened).empty());
    // Converts the table of its nodes to the same forest.
    const std::string again = folder_ / "again.balsa";
    ConvertOptions convert_options;
    convert_options.write = options(order);
    convert(table_rows(Query(opened->table())), again, convert_options);
    EXPECT_EQ(folder_.read("again.balsa"), bytes);
  }
}

TEST_F(ForestWriting, RandomFaultsAreOneErrorAndNoFile) {
  std::mt19937_64 random(12);
  for (uint64_t round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    BalsaTree tree = random_nodes(random, 3, 4);
    const auto node = random() % tree.left.size();
    switch (random() % 6) {
      case 0: tree.left[node] = static_cast<uint32_t>(random()); break;
      case 1: tree.right[node] = static_cast<uint32_t>(random()); break;
      case 2: tree.left[node] = static_cast<uint32_t>(node); break;
      case 3: tree.feature[node] = static_cast<uint8_t>(random()); break;
      case 4: tree.label[node] = static_cast<uint8_t>(random()); break;
      default: tree.label.resize(random() % 50); break;
    }
    // Writing refuses the trees that reading refuses.
    std::string reading;
    if (tree.label.size() == tree.left.size()) {
      const auto opened_tree = opened(canonical({tree}, kLittle));
      try {
        rows_of(*opened_tree, "nodes");
      } catch (const Error& error) {
        reading = error.message();
        reading = reading.substr(reading.find("node "));
      }
    }
    const auto writer = create_forest(path(), {3, 4});
    try {
      add(*writer, tree);
      EXPECT_EQ(reading, "");
      EXPECT_EQ(tree.label.size(), tree.left.size());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Argument);
      if (tree.label.size() == tree.left.size()) {
        EXPECT_EQ(error.message(), "tree 0: " + reading);
      }
    }
    EXPECT_EQ(folder_.file_count(), 0);
  }
}

class ForestsOfRealFiles : public ForestWriting, public testing::WithParamInterface<const char*> {};

// Compares from the file's ensemble on with the bytes of the format's own library.
TEST_P(ForestsOfRealFiles, AreWrittenAgain) {
  const auto bytes = read_file(data_dir() / "balsa" / GetParam());
  const std::string file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  constexpr uint64_t kHead = 65;  // without a creator
  const uint64_t start = file.find("ensldict");
  ASSERT_NE(start, file.npos);
  const auto opened = open((data_dir() / "balsa" / GetParam()).string());
  const auto rows = table_rows(Query(opened->table()));
  EXPECT_TRUE(is_forest(*rows));
  for (const std::endian order : {kLittle, kBig}) {
    ConvertOptions options;
    options.write = ForestWriting::options(order);
    const ConvertReport report = convert(rows, path(), options);
    EXPECT_EQ(report.rows, opened->table()->rows());
    EXPECT_EQ(report.bytes, std::filesystem::file_size(path()));
    const std::string written = folder_.read("f.balsa");
    if (written.substr(4, 4) == file.substr(4, 4)) {
      EXPECT_TRUE(written.substr(kHead) == file.substr(start));
      if (start == kHead) {
        EXPECT_TRUE(written == file);
      }
    }
    const auto again = open(path());
    EXPECT_TRUE(verify(*again).empty());
    EXPECT_EQ(rows_of(*again, "nodes"), rows_of(*opened, "nodes"));
    EXPECT_EQ(rows_of(*again, "trees", {"tree", "nodes", "leaves", "value_type"}),
              rows_of(*opened, "trees", {"tree", "nodes", "leaves", "value_type"}));
  }
}

// Other formats store the nodes, but neither the counts nor which trees have floats.
TEST_P(ForestsOfRealFiles, ComeBackFromOtherFormats) {
  const auto opened = open((data_dir() / "balsa" / GetParam()).string());
  const auto rows = table_rows(Query(opened->table()));
  ConvertOptions options;
  options.write = ForestWriting::options();
  convert(rows, path(), options);
  const auto metadata = [&](const char* column) {
    return std::stoull(
        opened->table()->metadata(*opened->table()->find_column(column)).at(0).text);
  };
  options.write.set("class_count", metadata("label"));
  options.write.set("feature_count", metadata("feature"));
  for (const char* name : {"nodes.jay", "nodes.idv"}) {
    ConvertOptions cast;
    cast.cast = true;
    convert(rows, folder_ / name, cast);
    convert(table_rows(Query(open(folder_ / name)->table())), folder_ / "again.balsa", options);
    EXPECT_EQ(rows_of(*open(folder_ / "again.balsa"), "nodes"), rows_of(*opened, "nodes"));
    const bool mixed = opened->table()->field(5).encoding == "fl32, fl64";
    EXPECT_EQ(folder_.read("again.balsa") == folder_.read("f.balsa"), !mixed) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ForestsOfRealFiles,
                         testing::Values("f-empty-ensemble.balsa", "be-f-empty-ensemble.balsa",
                                         "f-fl32-2trees-ties.balsa", "f-fl32-5trees.balsa",
                                         "be-f-fl32-5trees.balsa", "f-fl32-255features.balsa",
                                         "f-mixed-precision.balsa", "f-medium-50trees.balsa",
                                         "f-one-class-leaf-only.balsa"));

}  // namespace
}  // namespace heron::test
