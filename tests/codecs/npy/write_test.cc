// The writer writes what numpy.save() writes, and what it writes is read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "kit/random_batch.h"
#include "made_array.h"
#include "npy/npy.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::bytes_of_cells;
using test::error_of;
using test::opened_array;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class NpyWriter : public testing::Test {
 protected:
  std::string path() const { return folder_ / "file.npy"; }

  std::string write(const RowBatch& batch, bool structured = false) {
    WriteOptions options;
    options.replace = true;
    if (structured) options.set("structured", true);
    const auto writer = create(path(), *batch.schema, options);
    writer->write(batch);
    writer->close();
    writer->publish();
    EXPECT_EQ(writer->bytes_written(), std::filesystem::file_size(path()));
    losses_ = writer->losses();
    return folder_.read("file.npy");
  }

  // Returns a batch of texts.
  static RowBatch texts(const std::vector<std::string>& rows) {
    BatchBuilder builder({nullable_field("t", Type::Text)});
    for (const std::string& text : rows) builder[0].append(text);
    return builder.finish();
  }

  std::vector<ColumnLoss> losses_;
  test::TempFolder folder_;
};

// Returns the first bytes as numpy.save() of NumPy 2.4 writes them: 128 in all.
std::string saved_head(const std::string& dictionary) {
  std::string head = std::string("\x93NUMPY\1\0\x76\0", 10) + dictionary;
  head.append(127 - head.size(), ' ');
  return head + '\n';
}

TEST_F(NpyWriter, WritesAColumnAsAnArray) {
  BatchBuilder builder({nullable_field("x", Type::Int32)});
  for (const int row : {1, -2, 3}) builder[0].append(row);
  const RowBatch batch = builder.finish();
  const std::string cells = bytes_of_cells<int32_t>({1, -2, 3});
  EXPECT_EQ(write(batch),
            saved_head("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }") + cells);
  EXPECT_EQ(
      write(batch, true),
      saved_head("{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (3,), }") + cells);
}

TEST_F(NpyWriter, WritesVectorsAsMoreAxes) {
  const Type type = Type::vector(Type::Int16, {2, 3});
  auto schema = std::make_shared<Schema>(Schema{nullable_field("m", type)});
  const RowBatch batch = random_batch(schema, 50, 0, 3);
  const std::string file = write(batch);
  EXPECT_THAT(
      file,
      StartsWith(saved_head("{'descr': '<i2', 'fortran_order': False, 'shape': (50, 2, 3), }")));
  const auto table = opened_array(file)->table();
  EXPECT_EQ(table->schema()[0].type.name(), "vector<int16>[2x3]");
  const Projection all(table);
  RowBatch back = read(all, {0, 50});
  back.schema = schema;
  EXPECT_EQ(json_rows(back), json_rows(batch));
}

TEST_F(NpyWriter, WritesColumnsAsFields) {
  std::vector<Field> fields;
  for (const Type& type :
       {Type(Type::Bool), Type(Type::UInt8), Type(Type::Int64), Type(Type::Float32),
        Type(Type::Text), Type(Type::Date32), Type(Type::Timestamp), Type(Type::DateTime),
        Type(Type::Duration), Type::vector(Type::Float64, 3), Type::vector(Type::Text, 2),
        Type::vector(Type::Bool, {2, 2}), Type::vector(Type::Timestamp, 2)}) {
    fields.push_back(nullable_field(concat("größe '", fields.size(), "\\"), type));
  }
  auto schema = std::make_shared<Schema>(fields);
  for (const uint64_t rows : {0, 1, 3000}) {
    const RowBatch batch = random_batch(schema, rows, 0, rows);
    const auto table = opened_array(write(batch))->table();
    ASSERT_EQ(table->rows(), rows);
    for (uint64_t i = 0; i < fields.size(); ++i) {
      EXPECT_EQ(table->schema()[i].name, fields[i].name);
      EXPECT_EQ(table->schema()[i].type.name(), fields[i].type.name());
    }
    EXPECT_EQ(json_rows(read(Projection(table), {0, rows})), json_rows(batch));
  }
}

TEST_F(NpyWriter, MakesTextsAsLongAsTheLongest) {
  const RowBatch batch = texts({"a", "größe", "", "\U0001f600"});
  const std::string file = write(batch);
  EXPECT_THAT(file, HasSubstr("'descr': '<U5'"));
  EXPECT_EQ(file.size(), 128 + 4 * 5 * 4);
  EXPECT_THAT(test::rows_of_array(file),
              ElementsAre(R"({"values":"a"})", R"({"values":"größe"})", R"({"values":""})",
                          "{\"values\":\"\U0001f600\"}"));
  EXPECT_THAT(write(texts({""})), HasSubstr("'descr': '<U1'"));
}

TEST_F(NpyWriter, ReplacesBytesThatAreNoTextAndRefusesZeros) {
  EXPECT_THAT(
      test::rows_of_array(write(texts({"a", "\xFF\xFE", "c"}))),
      ElementsAre(R"({"values":"a"})", "{\"values\":\"\uFFFD\uFFFD\"}", R"({"values":"c"})"));
  ASSERT_EQ(losses_.size(), 1);
  EXPECT_EQ(losses_[0].changed, 1);
  EXPECT_THAT(error_of(ErrorKind::Argument,
                       [&] {
                         write(texts({"a", std::string("b\0", 2)}));
                       }),
              HasSubstr("column \"t\": the text of row 1 ends in a zero character"));
}

TEST_F(NpyWriter, RefusesToPadTextsWithoutBound) {
  std::vector<std::string> rows(10'000, "a");
  rows[5] = std::string(100'000, 'b');
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { write(texts(rows)); }),
              HasSubstr("texts as long as the longest, 4000000000 bytes in all"));
}

TEST_F(NpyWriter, SpillsTextsBeyondItsBuffer) {
  std::vector<std::string> rows;
  for (int i = 0; i < 200'000; ++i)
    rows.push_back(std::string(i % 23, static_cast<char>('a' + i % 7)));
  const RowBatch batch = texts(rows);
  const auto table = opened_array(write(batch))->table();
  const RowBatch back = read(Projection(table), {0, rows.size()});
  for (uint64_t row = 0; row < rows.size(); ++row) ASSERT_EQ(back.columns[0].text(row), rows[row]);
}

TEST_F(NpyWriter, WritesNullsAsNaNAndNaT) {
  BatchBuilder builder({nullable_field("f", Type::Float64), nullable_field("t", Type::Timestamp)});
  builder[0].append_null();
  builder[1].append_null();
  EXPECT_THAT(test::rows_of_array(write(builder.finish())), ElementsAre(R"({"f":"NaN","t":null})"));
  BatchBuilder integers({nullable_field("i", Type::Int8)});
  integers[0].append(1);
  integers[0].append_null();
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { write(integers.finish()); }),
              HasSubstr("column \"i\": the value of row 1 is null"));
  BatchBuilder smallest({nullable_field("t", Type::Timestamp)});
  smallest[0].append(INT64_MIN);
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { write(smallest.finish()); }),
              HasSubstr("NaT to NumPy"));
}

TEST_F(NpyWriter, ChoosesTheVersionByNamesAndLength) {
  const auto version = [&](const std::string& name) {
    BatchBuilder builder({nullable_field(name, Type::Int8), nullable_field("b", Type::Int8)});
    const std::string file = write(builder.finish());
    const auto opened = opened_array(file);
    EXPECT_EQ(opened->table()->schema()[0].name, name);
    EXPECT_EQ(opened->table()->schema()[0].name.size(), name.size());
    return opened->header()[0].second;
  };
  EXPECT_EQ(version("größe"), "1.0");
  EXPECT_EQ(version(std::string(70'000, 'x')), "2.0");
  EXPECT_EQ(version("\u6570"), "3.0");
  error_of(ErrorKind::Unsupported, [&] { version("\xFF"); });
}

// NumPy has such arrays, of a type without fields.
TEST_F(NpyWriter, WritesRowsWithoutColumns) {
  RowBatch batch;
  batch.schema = std::make_shared<Schema>();
  batch.rows = 5;
  const std::string file = write(batch);
  EXPECT_EQ(file, saved_head("{'descr': [], 'fortran_order': False, 'shape': (5,), }"));
  const auto table = opened_array(file)->table();
  EXPECT_EQ(table->rows(), 5u);
  EXPECT_EQ(table->column_count(), 0u);
}

TEST_F(NpyWriter, KeepsAnArrayWithoutAxes) {
  const std::string file =
      test::npy_file(test::npy_header("'<f8'", "()"), bytes_of_cells<double>({2.5}));
  folder_.write("in.npy", file);
  ConvertOptions options;
  options.write.replace = true;
  convert(table_rows(Projection(open(folder_ / "in.npy")->table())), path(), options);
  EXPECT_THAT(folder_.read("file.npy"), HasSubstr("'shape': (), }"));
}

}  // namespace
}  // namespace heron
