// Rows of SVMLight text are those of a plain parser, on random texts, however they are read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/fail.h"
#include "bytes/memory_source.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"
#include "svmlight/row_index.h"
#include "svmlight/saved.h"
#include "svmlight/svmlight.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

using Lines = std::vector<std::string>;
using SparseRow = std::map<uint64_t, int>;  // eighths by index

// A random text and what it has; row i has label i % 5 - 2.
struct MadeText {
  std::string text;
  std::vector<SparseRow> rows;
  std::vector<int> queries;
  uint64_t base = 1;
  uint64_t last = 0;
};

MadeText made_text(uint64_t rows, uint64_t indices, uint64_t base, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](uint64_t n) { return random() % n; };
  MadeText made;
  made.base = base;
  int query = 0;
  for (uint64_t i = 0; i < rows; ++i) {
    query += below(20) == 0 ? 1 : 0;
    SparseRow row;
    const uint64_t share = below(4);  // 3: dense
    for (uint64_t index = base; index < base + indices; ++index) {
      const bool is_there = share == 3 || below(8) < share || (i == 0 && index == base);
      if (is_there) row[index] = static_cast<int>(below(2000)) - 1000;
    }
    if (below(50) == 0) made.text += "# a comment\n\n";
    made.text += concat(static_cast<int>(i % 5) - 2, " qid:", query);
    for (const auto& [index, eighths] : row) {
      made.text += concat(below(9) == 0 ? "\t" : " ", index, ':', eighths / 8.0);
      made.last = std::max(made.last, index);
    }
    if (i == 0 || below(3) == 0) made.text += concat(" # row ", i);
    made.text += below(5) == 0 ? "\r\n" : "\n";
    made.rows.push_back(std::move(row));
    made.queries.push_back(query);
  }
  return made;
}

std::shared_ptr<const File> open_text(std::string_view content, OpenOptions options = {},
                                      bool mapped = true, std::span<const std::byte> saved = {}) {
  auto source = made_source("made.svmlight", std::as_bytes(std::span(content)), mapped);
  return svmlight::open(std::move(source), options, saved, {});
}

OpenOptions dense() {
  OpenOptions options;
  options.set("dense", true);
  return options;
}

Lines rows_of(const File& file) {
  const Projection all(file.table());
  return json_rows(read(all, {0, all.table()->rows()}));
}

// Compares single features of all rows with those of the made text.
void expect_features(const MadeText& made, const File& file) {
  const Projection all(file.table());
  const RowBatch batch = read(all, {0, made.rows.size()});
  const uint64_t features = made.last - made.base + 1;
  ASSERT_EQ(batch.columns.size(), 2 + features + 1);
  for (uint64_t i = 0; i < made.rows.size(); ++i) {
    ASSERT_EQ(batch.columns[0].get<int32_t>(i), static_cast<int>(i % 5) - 2);
    ASSERT_EQ(batch.columns[1].get<int64_t>(i), made.queries[i]);
    for (uint64_t slot = 0; slot < features; ++slot) {
      const auto found = made.rows[i].find(slot + made.base);
      const auto expected =
          found == made.rows[i].end() ? 0.0F : static_cast<float>(found->second) / 8;
      ASSERT_EQ(batch.columns[2 + slot].get<float>(i), expected) << i << ' ' << slot;
    }
  }
}

TEST(SvmlightRows, AreThoseOfAPlainParser) {
  unsigned seed = 0;
  for (const uint64_t rows : {1, 2, 100, 5000}) {
    for (const uint64_t indices : {1, 3, 40}) {
      for (const uint64_t base : {0, 1}) {
        const MadeText made = made_text(rows, indices, base, ++seed);
        for (const bool mapped : {true, false}) {
          expect_features(made, *open_text(made.text, dense(), mapped));
        }
      }
    }
  }
}

TEST(SvmlightRows, AreInBlocksOf64KiB) {
  const MadeText made = made_text(30'000, 12, 1, 5);
  const auto file = open_text(made.text);
  const Table& table = *file->table();
  EXPECT_EQ(table.rows(), made.rows.size());
  ASSERT_GT(table.block_count(), 4U);
  const uint64_t block_bytes = made.text.size() / table.block_count();
  EXPECT_GE(block_bytes, 64U << 10);
  EXPECT_LE(block_bytes, 160U << 10);
  Lines rows;
  for (uint64_t i = 0; i < table.block_count(); ++i) {
    const Lines block = json_rows(read(Projection(file->table()), table.block(i)));
    rows.insert(rows.end(), block.begin(), block.end());
  }
  EXPECT_EQ(rows, rows_of(*file));
  EXPECT_EQ(rows, rows_of(*open_text(made.text, {}, false)));
}

// Blocks of single rows are joined while the pass goes on.
TEST(SvmlightRows, OfManyBlocksAreJoinedOnTheWay) {
  std::string text;
  constexpr uint64_t kRows = 100'001;
  for (uint64_t i = 0; i < kRows; ++i) text += concat(i, " 1:", i % 1000, '\n');
  const auto file = open_text(text);
  ASSERT_EQ(file->table()->rows(), kRows);
  const RowBatch batch = read(Projection(file->table()), {0, kRows});
  for (uint64_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(static_cast<uint64_t>(batch.columns[0].get<int32_t>(i)), i);
  }
}

TEST(SvmlightRows, AreInGroupsOfOneQuery) {
  const MadeText made = made_text(20'000, 5, 1, 8);
  const auto file = open_text(made.text);
  const Table& table = *file->table();
  ASSERT_NE(table.group_count(), 0U);
  uint64_t groups = 0, first = 0;
  for (uint64_t i = 1; i <= made.queries.size(); ++i) {
    if (i < made.queries.size() && made.queries[i] == made.queries[i - 1]) continue;
    ASSERT_EQ(table.group(groups).first, first);
    ASSERT_EQ(table.group(groups).last, i);
    first = i;
    ++groups;
  }
  EXPECT_EQ(table.group_count(), groups);
  EXPECT_EQ(open_text("1 1:1\n")->table()->group_count(), 0U);
}

TEST(SvmlightRows, OfAHeadAreReadAlone) {
  const MadeText made = made_text(10'000, 5, 1, 9);
  OpenOptions options;
  options.head_rows = 7;
  const auto file = open_text(made.text, options);
  EXPECT_EQ(file->table()->rows(), 7U);
  EXPECT_EQ(file->table()->schema()[0].type.name(), "int32");
}

TEST(SvmlightRows, HaveLabelsOfTheNarrowestType) {
  const auto type = [](std::string_view text) {
    return open_text(text)->table()->schema()[0].type.name();
  };
  EXPECT_EQ(type("2147483647\n-2147483648\n"), "int32");
  EXPECT_EQ(type("2147483648\n"), "int64");
  EXPECT_EQ(type("1\n1.0\n"), "float64");
  EXPECT_EQ(type("9223372036854775808\n"), "float64");
  EXPECT_EQ(type("# nothing\n"), "int32");
}

TEST(SvmlightRows, HaveABase) {
  OpenOptions options;
  const auto type = [&](std::string_view text) {
    return open_text(text, options)->table()->schema()[1].type.name();
  };
  EXPECT_EQ(type("1 0:1 3:1\n"), "vector<float32>[4]");
  EXPECT_EQ(type("1 1:1 3:1\n"), "vector<float32>[3]");
  options.set("feature_base", std::string("0"));
  EXPECT_EQ(type("1 1:1 3:1\n"), "vector<float32>[4]");
  options.set("feature_base", std::string("1"));
  const auto file = open_text("1 1:1 3:1\n1 0:1\n", options);
  EXPECT_THAT(
      error_of(ErrorKind::Corrupt, [&] { rows_of(*file); }),
      HasSubstr("line 2 (byte 10): expected INDEX:VALUE with an index from 1 to 3, got \"0:1\""));
}

TEST(SvmlightRows, SayWhereTheyAreDamaged) {
  const auto opened = [](std::string_view text) {
    return error_of(ErrorKind::Corrupt, [&] { open_text(text); });
  };
  const auto read_text = [](std::string_view text) {
    const auto file = open_text(text);
    return error_of(ErrorKind::Corrupt, [&] { rows_of(*file); });
  };
  EXPECT_THAT(opened("1\nyes\n"),
              HasSubstr("made.svmlight: line 2 (byte 2): expected a number as label, got \"yes\""));
  EXPECT_THAT(opened("1 qid:1\n1 2:1\n"),
              HasSubstr("line 2 (byte 8): expected a qid: as in the rows before, got \"2:1\""));
  EXPECT_THAT(opened("1 qid:x\n"), HasSubstr("expected an integer as qid, got \"x\""));
  EXPECT_THAT(opened("1 2147483647:1\n"),
              HasSubstr("expected an index of a feature up to 2147483646, got \"2147483647\""));
  EXPECT_THAT(read_text("\n1 1:1 2:x 3:1\n"),
              HasSubstr("line 2 (byte 1): expected a number as the value of feature 2, got \"x\""));
  EXPECT_THAT(read_text("1 1:1 3:1 2:1 4:1\n"),
              HasSubstr("line 1 (byte 0): expected an index above 3, got \"2:1\""));
  EXPECT_THAT(read_text("1 1:1 1:1\n"), HasSubstr("expected an index above 1, got \"1:1\""));
  EXPECT_THAT(read_text("1 2:1 1:1\n"), HasSubstr("expected an index above 2, got \"1:1\""));
  EXPECT_THAT(read_text("1 9:1 3:1\n0 5:1 4:1\n"), HasSubstr("line 1 (byte 0): expected an index"));
}

// A large index takes no memory until rows are made dense.
TEST(SvmlightRows, OfALargeIndexStaySparse) {
  const auto file = open_text("1 2147483646:2\n0 5:1\n");
  EXPECT_EQ(file->table()->schema()[1].type.name(), "vector<float32>[2147483646]");
  const RowBatch batch = read(Projection(file->table()), {0, 2});
  EXPECT_EQ(batch.columns[1].children[0].extent(2), 2U);
  EXPECT_THAT(error_of(ErrorKind::Limit, [] { open_text("1 2147483646:2\n", dense()); }),
              HasSubstr("expected at most 1048576 features for a column each"));
}

// A column is opened without a look at the names of all, and has the one that a search finds.
TEST(SvmlightRows, DenseHaveNamesThatNeedNoRepair) {
  const auto table = open_text("1 qid:1 2:1 100000:2 # one\n", dense())->table();
  const uint64_t columns = table->column_count();
  EXPECT_EQ(columns, 100'003U);
  for (const uint64_t column : {uint64_t{0}, uint64_t{1}, uint64_t{2}, columns - 2, columns - 1}) {
    const std::string name = table->field(column).name;
    EXPECT_EQ(table->find_column(name), column) << name;
    EXPECT_EQ(table->column_name(column), name);
  }
}

TEST(SvmlightRows, OfManyFilesHaveOneSchema) {
  const test::TempFolder folder;
  const std::vector<std::string> paths = {
      folder.write("a.svmlight", "1 1:1 # one\n"), folder.write("b.svmlight", "# no rows\n"),
      folder.write("c.svmlight", "3000000000 4:2\n"), folder.write("d.svmlight", "-1\n")};
  const auto file = open(paths);
  const Schema& schema = file->table()->schema();
  ASSERT_EQ(schema.size(), 3U);
  EXPECT_EQ(schema[0].type.name(), "int64");
  EXPECT_EQ(schema[1].type.name(), "vector<float32>[4]");
  EXPECT_EQ(rows_of(*file),
            (Lines{R"({"label":1,"features":[1.0,0.0,0.0,0.0],"comment":"one"})",
                   R"({"label":3000000000,"features":[0.0,0.0,0.0,2.0],"comment":""})",
                   R"({"label":-1,"features":[0.0,0.0,0.0,0.0],"comment":""})"}));
  const std::vector<std::string> other = {paths[0], folder.write("e.svmlight", "1 qid:1 1:1\n")};
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { open(other); }),
              HasSubstr("rows have a qid:, unlike those of files before it"));
}

TEST(SvmlightRows, FirstFileWithoutRowsDoesNotChooseTypes) {
  const test::TempFolder folder;
  const std::vector<std::string> paths = {folder.write("a.svmlight", "# no rows\n"),
                                          folder.write("b.svmlight", "3000000000 qid:1 1:1\n")};
  EXPECT_EQ(rows_of(*open(paths)), (Lines{R"({"label":3000000000,"qid":1,"features":[1.0]})"}));
}

class SvmlightIndex : public testing::Test {
 protected:
  std::vector<std::byte> saved() const {
    return svmlight::index(made_source("made", std::as_bytes(std::span(made_.text)), true), {}, {});
  }
  std::optional<svmlight::RowIndex> loaded(std::span<const std::byte> bytes) const {
    return svmlight::load_saved(bytes, made_.text.size());
  }

  const MadeText made_ = made_text(3'000, 6, 1, 11);
};

TEST_F(SvmlightIndex, OpensTheSameRowsWithoutReadingThem) {
  const auto bytes = saved();
  auto source = std::make_shared<CopyingSource>(
      "made", std::vector(std::as_bytes(std::span(made_.text)).begin(),
                          std::as_bytes(std::span(made_.text)).end()));
  const auto file = svmlight::open(source, {}, bytes, {});
  EXPECT_EQ(source->reads(), 0U);
  EXPECT_EQ(rows_of(*file), rows_of(*open_text(made_.text)));
}

TEST_F(SvmlightIndex, OfAnotherFileIsNotUsed) {
  const auto bytes = saved();
  EXPECT_TRUE(loaded(bytes));
  EXPECT_FALSE(svmlight::load_saved(bytes, made_.text.size() + 1));
  for (const uint64_t cut : {1, 8, 16}) {
    EXPECT_FALSE(loaded(std::span(bytes).first(bytes.size() - cut))) << cut;
  }
}

// An index of a file's first rows would leave out the others.
TEST_F(SvmlightIndex, OfTheFirstRowsIsNotUsed) {
  const uint64_t file_bytes = made_.text.size();
  const std::string first_rows = made_.text.substr(0, made_.text.find('\n', file_bytes / 2) + 1);
  auto bytes =
      svmlight::index(made_source("made", std::as_bytes(std::span(first_rows)), true), {}, {});
  EXPECT_TRUE(svmlight::load_saved(bytes, first_rows.size()));
  std::memcpy(bytes.data() + 8, &file_bytes, 8);  // the file's size
  EXPECT_FALSE(loaded(bytes));
  EXPECT_EQ(rows_of(*open_text(made_.text, {}, true, bytes)), rows_of(*open_text(made_.text)));
}

// A forged index is refused, or rows are read or an Error tells of rows that are not as it says.
TEST_F(SvmlightIndex, IfForgedGivesAnErrorOrTheRows) {
  const auto bytes = saved();
  const Lines rows = rows_of(*open_text(made_.text));
  uint64_t refused = 0, errors = 0;
  for (uint64_t word = 0; word < bytes.size() / 8; ++word) {
    for (const uint64_t change : {1, 2, 256}) {
      auto forged = bytes;
      uint64_t value = 0;
      std::memcpy(&value, forged.data() + word * 8, 8);
      value += change;
      std::memcpy(forged.data() + word * 8, &value, 8);
      if (!loaded(forged)) {
        ++refused;
        continue;
      }
      try {
        const auto file = open_text(made_.text, {}, true, forged);
        if (file->table()->rows() == rows.size() && word > 8) {
          EXPECT_EQ(rows_of(*file), rows) << word;
        }
        if (file->table()->group_count() != 0) file->table()->group(0);
        rows_of(*file);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << error.what();
        ++errors;
      }
    }
  }
  EXPECT_GT(refused, 10U);
  EXPECT_GT(errors, 5U);
}

// Without the check, a block that begins behind a minus sign has another label.
TEST(SvmlightForgedIndex, MayNotBeginABlockInsideALine) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "-1 1:1\n";
  auto bytes = svmlight::index(made_source("made", std::as_bytes(std::span(text)), true), {}, {});
  constexpr uint64_t kSecondOffset = (11 + 2) * 8;
  uint64_t offset = 0;
  std::memcpy(&offset, bytes.data() + kSecondOffset, 8);
  ASSERT_EQ(text[offset], '-');
  ++offset;
  std::memcpy(bytes.data() + kSecondOffset, &offset, 8);
  const auto file = open_text(text, {}, true, bytes);
  const Projection all(file->table());
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { read(all, file->table()->block(1)); }),
              HasSubstr("expected the start of a line"));
}

TEST(SvmlightDetection, ComesBeforeText) {
  const auto resembles = [](std::string_view name, std::string_view head) {
    return svmlight::resembles(name, head, false);
  };
  EXPECT_EQ(resembles("x.txt", "1 1:1, \n"), Match::No);
  EXPECT_EQ(resembles("x.txt", "1 1:1 #a, b\n0 2:1 #c, d\n"), Match::Yes);
  EXPECT_EQ(resembles("x.txt", "1\t1:1\t2:2\n0\t1:1\t2:2\n"), Match::Yes);
  EXPECT_EQ(resembles("x.txt", "1\n2\n"), Match::No);
  EXPECT_EQ(resembles("x.txt", "12:30 a\n"), Match::No);
  EXPECT_EQ(resembles("x.svm", "1\n"), Match::Yes);
  EXPECT_EQ(resembles("x.svm", std::string_view("1\0", 2)), Match::No);
  EXPECT_EQ(resembles("x.svm", ""), Match::No);
  EXPECT_EQ(svmlight::resembles("x", "1 1:1\n", true), Match::No);
  const test::TempFolder folder;
  EXPECT_EQ(open(folder.write("x.txt", "1\t1:1\n0\t1:2\n"))->format(), "svmlight");
}

}  // namespace
}  // namespace heron
