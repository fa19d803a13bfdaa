// Keyed files as the writer makes them: rows are found by key; rows in another order are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"
#include "kit/random_batch.h"
#include "kit/real_files.h"
#include "kit/special_numbers.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using test::TempFolder;
using testing::HasSubstr;
using Texts = std::vector<std::optional<std::string>>;
using Scalars = std::vector<Scalar>;

class JayKeys : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/keyed.jay"; }

  // Writes all rows of the table, in batches of `batch_rows`.
  std::shared_ptr<const Table> write(const std::shared_ptr<const Table>& table,
                                     uint64_t key_columns, uint64_t batch_rows = 2) {
    WriteOptions options;
    options.rows = table->rows();
    options.key_columns = key_columns;
    options.replace = true;
    const Projection columns(table);
    const auto writer = create(path(), *columns.schema(), options);
    Scan scan(columns, {}, batch_rows);
    for (RowBatch batch; scan.next(batch);) writer->write(batch);
    writer->close();
    writer->publish();
    return open(path())->table();
  }
  std::string refusal(const TableMaker& maker, uint64_t key_columns, uint64_t batch_rows = 2) {
    return error_of(ErrorKind::Argument, [&] { write(maker.table(), key_columns, batch_rows); });
  }

  TempFolder folder_;
};

TEST_F(JayKeys, AreFoundByWhatWasWritten) {
  TableMaker maker(7);
  maker.fixed("id", Type::Int32, std::vector<int32_t>{0, 0, -5, -5, 3, 3, 3}, NullEncoding::Bitmap,
              {false, false, true, true, true, true, true});
  maker.texts("name", {std::nullopt, "b", "", "a", "a", std::string("a\0", 2), "é"});
  maker.fixed("value", Type::Int64, std::vector<int64_t>{10, 11, 12, 13, 14, 15, 16});
  const auto table = write(maker.table(), 2);
  EXPECT_EQ(table->key_columns(), 2);

  const Projection key(table, std::vector<uint64_t>{0, 1});
  const Scalars keys = {{},          {},  {},          "b", int64_t{-5}, "",
                        int64_t{-5}, "a", int64_t{3},  "a", int64_t{3},  std::string("a\0", 2),
                        int64_t{3},  "é", int64_t{-5}, {},  int64_t{4},  "a"};
  EXPECT_EQ(find(key, keys), (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, kNoRow, kNoRow}));
}

TEST_F(JayKeys, NumbersAreFoundFromTheLeastOn) {
  std::vector<double> cells = {kNaN, -std::numeric_limits<double>::infinity(), -1, -0.0, 1e-300};
  const auto floats = write(TableMaker(5).fixed("k", Type::Float64, cells).table(), 1);
  const Scalars keys = {{}, -std::numeric_limits<double>::infinity(), -1.0, -0.0, 0.0, 1e-300};
  EXPECT_EQ(find(Projection(floats), keys), (std::vector<uint64_t>{0, 1, 2, 3, 3, 4}));
  cells[4] = 0.0;
  EXPECT_THAT(
      refusal(TableMaker(5).fixed("k", Type::Float64, cells), 1),
      HasSubstr("row 4: expected a key above (k = -0), that of the row before, got the same"));

  // A type's minimum that is a value comes after null.
  const auto integers = write(TableMaker(3)
                                  .fixed("k", Type::Int8, std::vector<int8_t>{0, INT8_MIN, 5},
                                         NullEncoding::Bitmap, {false, true, true})
                                  .table(),
                              1);
  EXPECT_EQ(find(Projection(integers), Scalars{{}, int64_t{INT8_MIN}, int64_t{5}}),
            (std::vector<uint64_t>{0, 1, 2}));
}

TEST_F(JayKeys, KeyedFilesComeBackAsSuch) {
  uint64_t keyed = 0;
  for (const RealFile& file : real_files()) {
    if (file.format != "jay") continue;
    const auto table = open(file.path.string())->table();
    if (table->key_columns() == 0) continue;
    SCOPED_TRACE(file.path);
    const auto again = write(table, table->key_columns());
    EXPECT_EQ(again->key_columns(), table->key_columns());
    EXPECT_EQ(json_rows(read(Projection(again), {0, again->rows()})),
              json_rows(read(Projection(table), {0, table->rows()})));
    ++keyed;
  }
  EXPECT_GE(keyed, 3);
}

TEST_F(JayKeys, RowsThatDoNotAscendAreRefused) {
  TableMaker maker(5);
  maker.fixed("id", Type::Int32, std::vector<int32_t>{1, 2, 2, 2, 1});
  maker.texts("name", {"z", "a", "b", "b", "c"});
  for (const uint64_t batch_rows : {1, 2, 3, 5}) {
    EXPECT_EQ(
        refusal(maker, 1, batch_rows),
        path() + ": row 2: expected a key above (id = 2), that of the row before, got the same");
    EXPECT_EQ(refusal(maker, 2, batch_rows),
              path() +
                  ": row 3: expected a key above (id = 2, name = \"b\"), that of the row "
                  "before, got the same");
  }
  TableMaker falling(3);
  falling.texts("name", {"a", "b", std::nullopt});
  for (const uint64_t batch_rows : {2, 3}) {
    EXPECT_EQ(refusal(falling, 1, batch_rows),
              path() +
                  ": row 2: expected a key above (name = \"b\"), that of the row before, got "
                  "(name = null)");
  }
}

TEST_F(JayKeys, ANaNAndANullNumberAreOneKey) {
  TableMaker maker(2);
  maker.fixed("k", Type::Float32, std::vector<float>{0, static_cast<float>(kNaN)},
              NullEncoding::Bitmap, {false, true});
  EXPECT_THAT(refusal(maker, 1), HasSubstr("row 1: expected a key above (k = null)"));
}

TEST_F(JayKeys, ARefusedBatchLeavesTheWriterAsItWas) {
  const auto batch = [](std::vector<int32_t> cells) {
    return read(Projection(TableMaker(cells.size()).fixed("k", Type::Int32, cells).table()),
                {0, cells.size()});
  };
  WriteOptions options;
  options.key_columns = 1;
  const auto writer = create(path(), *batch({1}).schema, options);
  writer->write(batch({1, 2}));
  error_of(ErrorKind::Argument, [&] { writer->write(batch({3, 2})); });
  writer->write(batch({}));
  writer->write(batch({3}));
  writer->close();
  writer->publish();
  EXPECT_EQ(open(path())->table()->rows(), 3);
}

TEST_F(JayKeys, WhatCannotBeAKeyIsRefused) {
  TableMaker maker(0);
  maker.lists("l", {0}, {});
  EXPECT_THAT(refusal(maker, 1), HasSubstr("column \"l\" of type list<int32> cannot be a key"));
  EXPECT_THAT(refusal(maker, 2), HasSubstr("expected at most 1 key columns, got 2"));
}

TEST_F(JayKeys, OtherFormatsHaveNone) {
  const auto table = TableMaker(1).fixed("k", Type::Float32, std::vector<float>{1}).table();
  WriteOptions options;
  options.key_columns = 1;
  for (const char* name : {"x.balsa", "x.idv", "x.bin"}) {
    EXPECT_THAT(error_of(ErrorKind::Unsupported,
                         [&] {
                           create(concat(folder_.path(), '/', name), *Projection(table).schema(),
                                  options);
                         }),
                HasSubstr("cannot store sort keys"));
  }
}

}  // namespace
}  // namespace heron
