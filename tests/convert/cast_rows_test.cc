// Rows of a source are cast: values stay the same, other columns are not copied, faults have rows.
#include "convert/cast_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convert/made_values.h"
#include "error_of.h"
#include "heron/schema.h"
#include "heron/table.h"
#include "heron/take.h"
#include "heron/values.h"
#include "kit/batch_rows.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using testing::ElementsAre;

// The source has a number, a text and one that is null now and then, in batches of 10.
class CastRowsTest : public testing::Test {
 protected:
  static constexpr uint64_t kRows = 25;

  CastRowsTest() {
    std::vector<int32_t> numbers(kRows);
    std::vector<std::optional<std::string>> texts(kRows);
    std::vector<int64_t> wide(kRows);
    std::vector<bool> valid(kRows);
    for (size_t i = 0; i < kRows; ++i) {
      numbers[i] = static_cast<int32_t>(100 + i);
      if (i % 3 != 0) texts[i] = "text " + std::to_string(i);
      wide[i] = static_cast<int64_t>(i) * 1000;
      valid[i] = i % 4 != 0;
    }
    wide[21] = 40'001;
    TableMaker maker(kRows);
    maker.fixed("number", Type::Int32, numbers);
    maker.texts("text", texts);
    maker.fixed("wide", Type::Int64, wide, NullEncoding::Bitmap, valid);
    table_ = maker.table();
    RowBatch whole;
    read(Projection(table_), {0, kRows}, whole);
    auto schema = std::make_shared<Schema>(*whole.schema);
    for (Field& field : *schema) field.metadata.emplace_back("unit", "metre");
    whole.schema = schema;
    source_ = batch_rows(whole, 10);
    source_->given_format = "made";
  }

  // Returns all rows of some columns as text, column by column.
  static std::vector<std::vector<std::string>> all(const RowSource& rows,
                                                   std::vector<uint64_t> columns) {
    std::vector<std::vector<std::string>> texts(columns.size());
    const auto stream = rows.read(columns, {});
    RowBatch batch;
    while (stream->next(batch)) {
      EXPECT_EQ(batch.columns.size(), columns.size());
      for (uint64_t i = 0; i < columns.size(); ++i) {
        EXPECT_EQ((*batch.schema)[i].type, batch.columns[i].type);
        EXPECT_EQ((*batch.schema)[i].name, rows.schema()[columns[i]].name);
        EXPECT_TRUE((*batch.schema)[i].metadata.empty());
        EXPECT_EQ(batch.columns[i].rows, batch.rows);
        for (std::string& text : all_texts(batch.columns[i])) texts[i].push_back(std::move(text));
      }
    }
    EXPECT_EQ(batch.rows, 0u);
    EXPECT_TRUE(batch.columns.empty());
    return texts;
  }

  std::shared_ptr<const Table> table_;
  std::shared_ptr<BatchRows> source_;
};

TEST_F(CastRowsTest, TellsWhatTheRowsBecome) {
  const auto rows = cast_rows(
      source_,
      {{2, Type::Float64, NullFloat::AsNaN, {{"min", "0"}}}, {2, Type::Float32}, {1, Type::Text}});
  EXPECT_EQ(rows->name(), "made.file");
  EXPECT_EQ(rows->format(), "made");
  EXPECT_EQ(rows->rows(), kRows);
  const Schema& schema = rows->schema();
  ASSERT_EQ(schema.size(), 3u);
  EXPECT_EQ(schema[0].name, "wide");
  EXPECT_EQ(schema[0].type, Type::Float64);
  EXPECT_FALSE(schema[0].nullable);
  EXPECT_EQ(schema[0].encoding, "");
  ASSERT_EQ(schema[0].metadata.size(), 1u);
  EXPECT_EQ(schema[0].metadata[0].name, "min");
  EXPECT_TRUE(schema[1].nullable);
  EXPECT_EQ(schema[2].name, "text");
  EXPECT_EQ(schema[2].encoding, "made");
  EXPECT_TRUE(schema[2].nullable);
  EXPECT_TRUE(schema[2].metadata.empty());
}

TEST_F(CastRowsTest, GivesAnyOfTheColumnsInAnyOrder) {
  const auto rows = cast_rows(source_, {{2, Type::UInt16}, {1, Type::Text}, {0, Type::Int8}});
  const auto before = all(*source_, {1});
  const auto after = all(*rows, {2, 1});
  ASSERT_EQ(after[0].size(), kRows);
  EXPECT_EQ(after[0][0], "64");
  EXPECT_EQ(after[0][24], "7c");
  EXPECT_EQ(after[1], before[0]);
  const auto wide = all(*rows, {0})[0];
  EXPECT_EQ(wide[4], "null");
  EXPECT_EQ(wide[23], "59d8");
  EXPECT_TRUE(all(*rows, {}).empty());
}

TEST_F(CastRowsTest, MakesNaNsOfNulls) {
  const auto rows = cast_rows(source_, {{2, Type::Float64, NullFloat::AsNaN}});
  const auto stream = rows->read(std::vector<uint64_t>{0}, {});
  RowBatch batch;
  ASSERT_TRUE(stream->next(batch));
  EXPECT_EQ(batch.columns[0].null_count, 0u);
  EXPECT_TRUE(std::isnan(batch.columns[0].get<double>(4)));
  EXPECT_EQ(batch.columns[0].get<double>(5), 5000);
}

TEST_F(CastRowsTest, NamesTheRowThatDoesNotFit) {
  const auto rows = cast_rows(source_, {{0, Type::Int32}, {2, Type::UInt16}, {0, Type::Bool}});
  EXPECT_EQ(all(*rows, {0, 1}).size(), 2u);
  EXPECT_EQ(test::error_of(ErrorKind::Argument, [&] { all(*rows, {2}); }),
            "made.file: column \"number\": row 0: 100 does not fit into bool");
  const auto narrow = cast_rows(source_, {{2, Type::Int16}});
  EXPECT_EQ(test::error_of(ErrorKind::Argument, [&] { all(*narrow, {0}); }),
            "made.file: column \"wide\": row 21: 40001 does not fit into int16");
  const auto late = cast_rows(cast_rows(source_, {{0, Type::Int32}}), {{0, Type::Float32}});
  EXPECT_EQ(all(*late, {0})[0].size(), kRows);
}

// Columns that are not cast share the source's memory, which lives as long as a copy of the batch.
TEST_F(CastRowsTest, CopiesNothingThatStaysAsItIs) {
  const auto rows = cast_rows(source_, {{1, Type::Text}, {0, Type::Int64}});
  const auto stream = rows->read(std::vector<uint64_t>{0, 1}, {});
  const auto from = source_->read(std::vector<uint64_t>{1}, {});
  RowBatch batch, first, before;
  ASSERT_TRUE(stream->next(batch));
  ASSERT_TRUE(from->next(before));
  EXPECT_EQ(batch.columns[0].data.data, before.columns[0].data.data);
  EXPECT_NE(batch.columns[1].data.data, before.columns[0].data.data);
  first = batch;
  const auto texts = all_texts(first.columns[1]);
  const auto memory = batch.memory;
  ASSERT_TRUE(stream->next(batch));
  EXPECT_NE(batch.memory, memory);
  EXPECT_EQ(all_texts(first.columns[1]), texts);
  first = RowBatch();
  const auto* used = batch.memory.get();
  ASSERT_TRUE(stream->next(batch));
  EXPECT_EQ(batch.memory.get(), used);
}

// The source reuses memory, and a copy of a batch must stay valid.
TEST_F(CastRowsTest, KeepsWhatACopyOfABatchNeeds) {
  std::vector<int32_t> numbers(20'000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int32_t>(i);
  TableMaker maker(numbers.size());
  maker.fixed("number", Type::Int32, numbers);
  const auto table = maker.table(false);
  const auto rows = cast_rows(table_rows(Projection(table)), {{0, Type::Int32}});
  const auto stream = rows->read(std::vector<uint64_t>{0}, {});
  RowBatch batch;
  ASSERT_TRUE(stream->next(batch));
  const RowBatch first = batch;
  ASSERT_TRUE(stream->next(batch));
  for (uint64_t row = 0; row < first.rows; ++row) {
    ASSERT_EQ(first.columns[0].get<int32_t>(row), static_cast<int32_t>(row));
  }
}

TEST_F(CastRowsTest, OfUnknownNumberStayOfUnknownNumber) {
  const RowBatch batch = random_batch(std::make_shared<Schema>(1), 3, 0, 1);
  const auto rows = cast_rows(batch_rows(batch, 2, false), {{0, Type::Null}});
  EXPECT_EQ(rows->rows(), WriteOptions::kUnknownRows);
}

}  // namespace
}  // namespace heron
