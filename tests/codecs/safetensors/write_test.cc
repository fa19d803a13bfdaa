// The bytes of written files, whether or not the number of rows is known, and columns that a file
// cannot hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/random_batch.h"
#include "safetensors/layout.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

Field tensor_field(std::string name, Type type) {
  Field field;
  field.name = std::move(name);
  field.type = std::move(type);
  return field;
}

class SafetensorsWriter : public testing::Test {
 protected:
  // Writes the batch that many times and returns the bytes of the file.
  std::string written(const RowBatch& batch, bool rows_are_known, uint64_t times = 1) const {
    WriteOptions options;
    options.replace = true;
    if (rows_are_known) options.rows = batch.rows * times;
    const auto writer = create(path(), *batch.schema, options);
    for (uint64_t i = 0; i < times; ++i) writer->write(batch);
    writer->close();
    writer->publish();
    const std::string bytes = folder_.read("out.safetensors");
    EXPECT_EQ(writer->bytes_written(), bytes.size());
    return bytes;
  }
  std::string path() const { return folder_ / "out.safetensors"; }

  test::TempFolder folder_;
};

TEST_F(SafetensorsWriter, BytesOfAFile) {
  BatchBuilder builder({nullable_field("flag", Type::Bool), nullable_field("q\"", Type::Float32),
                        nullable_field("n", Type::Int64)});
  for (int i = 0; i < 3; ++i) {
    builder[0].append(i == 1);
    if (i == 2) {
      builder[1].append_null();
    } else {
      builder[1].append(0.5f * static_cast<float>(i));
    }
    builder[2].append(int64_t{-1});
  }
  const RowBatch batch = builder.finish();
  const std::string header = R"({"flag":{"dtype":"BOOL","shape":[3],"data_offsets":[36,39]},)"
                             R"("q\"":{"dtype":"F32","shape":[3],"data_offsets":[24,36]},)"
                             R"("n":{"dtype":"I64","shape":[3],"data_offsets":[0,24]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  const std::string expected = concat(
      static_cast<char>(padded.size()), std::string(7, '\0'), padded, std::string(24, '\xff'),
      std::string("\0\0\0\0\0\0\0\x3f\0\0\xc0\x7f", 12), std::string("\0\1\0", 3));
  EXPECT_EQ(written(batch, true), expected);
  EXPECT_EQ(written(batch, false), expected);
}

TEST_F(SafetensorsWriter, ManyBatchesOfManyTypes) {
  auto schema = std::make_shared<Schema>();
  for (const safetensors::Dtype& dtype : safetensors::kDtypes) {
    if (!dtype.type || dtype.small) continue;
    const std::string name(dtype.name);
    schema->push_back(tensor_field(name, *dtype.type));
    schema->push_back(tensor_field(name + " vector", Type::vector(*dtype.type, 3)));
    schema->push_back(tensor_field(name + " matrix", Type::vector(*dtype.type, {2, 5})));
  }
  const RowBatch batch = random_batch(schema, 3000, 0, 4);
  constexpr uint64_t kTimes = 5;
  const std::string bytes = written(batch, true, kTimes);
  EXPECT_TRUE(written(batch, false, kTimes) == bytes);
  const auto file = open(path());
  verify(*file);
  EXPECT_EQ(*Projection(file->table()).schema()->front().name.data(), 'B');
  const auto before = json_rows(batch);
  for (uint64_t i = 0; i < kTimes; ++i) {
    const RowRange rows{i * batch.rows, (i + 1) * batch.rows};
    EXPECT_TRUE(json_rows(read(Projection(file->table()), rows)) == before) << i;
  }
}

TEST_F(SafetensorsWriter, RoundedFloats) {
  BatchBuilder builder({nullable_field("f", Type::Float32), nullable_field("d", Type::Float64),
                        nullable_field("n", Type::Int8)});
  for (const double number : {1.0, 0.1, 70000.0}) {
    builder[0].append(static_cast<float>(number));
    builder[1].append(number);
    builder[2].append(int8_t{5});
  }
  for (int i = 0; i < 3; ++i) builder[static_cast<uint64_t>(i)].append_null();
  const RowBatch nulls = builder.finish();
  WriteOptions options;
  options.replace = true;
  options.set("float_type", "f16");
  const auto write = [&](const RowBatch& batch) {
    const auto writer = create(path(), *batch.schema, options);
    writer->write(batch);
    writer->close();
    writer->publish();
    return writer->losses();
  };
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { write(nulls); }), HasSubstr("column \"n\""));
  RowBatch batch = nulls;
  batch.columns.resize(2);
  batch.schema = std::make_shared<Schema>(nulls.schema->begin(), nulls.schema->begin() + 2);
  std::vector<ColumnLoss> losses = write(batch);
  ASSERT_EQ(losses.size(), 2u);
  EXPECT_EQ(losses[1].column, 1u);
  EXPECT_EQ(losses[1].changed, 2u);
  EXPECT_EQ(losses[1].largest, std::numeric_limits<double>::infinity());
  EXPECT_THAT(
      json_rows(read(Projection(open(path())->table()), {0, 4})),
      testing::ElementsAre(R"({"f":1.0,"d":1.0})", R"({"f":0.0999755859375,"d":0.0999755859375})",
                           R"({"f":"Infinity","d":"Infinity"})", R"({"f":"NaN","d":"NaN"})"));
  EXPECT_EQ(open(path())->table()->field(1).encoding, "F16");
  options.set("float_type", "bf16");
  losses = write(batch);
  ASSERT_EQ(losses.size(), 2u);
  EXPECT_EQ(losses[0].changed, 2u);
  EXPECT_EQ(losses[0].largest, 144.0);  // 70,000 becomes 70,144
  EXPECT_EQ(open(path())->table()->field(0).encoding, "BF16");
}

TEST_F(SafetensorsWriter, RoundedVectors) {
  auto schema = std::make_shared<Schema>();
  schema->push_back(tensor_field("v", Type::vector(Type::Float64, 3)));
  schema->push_back(tensor_field("i", Type::vector(Type::Int32, {2, 2})));
  const RowBatch batch = random_batch(schema, 500, 0, 4);
  WriteOptions options;
  options.set("float_type", "bf16");
  const auto writer = create(path(), *schema, options);
  writer->write(batch);
  writer->close();
  writer->publish();
  const auto table = open(path())->table();
  EXPECT_EQ(table->field(0).type, Type::vector(Type::Float32, 3));
  EXPECT_EQ(table->field(1).type, Type::vector(Type::Int32, {2, 2}));
  std::vector<double> before(500 * 7), after(500 * 7);
  const std::string exact = folder_ / "exact.safetensors";
  const auto whole = create(exact, *schema);
  whole->write(batch);
  whole->close();
  whole->publish();
  matrix(Projection(open(exact)->table()), RowRange{0, 500}, std::span(before));
  matrix(Projection(table), RowRange{0, 500}, std::span(after));
  uint64_t changed = 0;
  double largest = 0;
  for (uint64_t row = 0; row < 500; ++row) {
    bool is_changed = false;
    for (uint64_t i = 7 * row; i < 7 * row + 7; ++i) {
      is_changed |= before[i] != after[i];
      largest = std::max(largest, std::abs(before[i] - after[i]));
      EXPECT_NEAR(after[i], before[i], std::abs(before[i]) / 128);
    }
    changed += is_changed;
  }
  ASSERT_EQ(writer->losses().size(), 1u);
  EXPECT_EQ(writer->losses()[0].changed, changed);
  EXPECT_EQ(writer->losses()[0].largest, largest);
  EXPECT_GT(changed, 100u);
}

TEST_F(SafetensorsWriter, NoRowsAndNoColumns) {
  auto schema = std::make_shared<Schema>();
  schema->push_back(tensor_field("v", Type::vector(Type::Float64, 4)));
  const RowBatch batch = random_batch(schema, 0, 0, 1);
  EXPECT_EQ(written(batch, true), written(batch, false));
  EXPECT_EQ(open(path())->table()->rows(), 0u);
  EXPECT_EQ(open(path())->table("v")->field(0).type, Type::vector(Type::Float64, 4));
  schema = std::make_shared<Schema>();
  EXPECT_EQ(written(random_batch(schema, 0, 0, 1), false),
            std::string("\x8\0\0\0\0\0\0\0{}      ", 16));
}

TEST_F(SafetensorsWriter, NullsOtherThanFloatsAreRefused) {
  BatchBuilder builder({nullable_field("n", Type::Int32)});
  builder[0].append(int32_t{1});
  builder[0].append_null();
  const RowBatch batch = builder.finish();
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { written(batch, false); }),
              HasSubstr("column \"n\": the value of row 1 is null"));
  auto schema = std::make_shared<Schema>();
  schema->push_back(tensor_field("v", Type::vector(Type::Int8, 4)));
  EXPECT_THAT(
      error_of(ErrorKind::Argument, [&] { written(random_batch(schema, 50, 0.5, 1), false); }),
      HasSubstr("column \"v\": a slot of row "));
  schema->front().type = Type::vector(Type::Float64, 4);
  written(random_batch(schema, 50, 0.5, 1), false);
  EXPECT_GT(count(Predicate(open(path())->table(), "list_element(v, 1) is nan")), 0u);
}

TEST_F(SafetensorsWriter, NamesThatAHeaderCannotHold) {
  const auto fault = [&](std::initializer_list<const char*> names) {
    Schema schema;
    for (const char* name : names) schema.push_back(tensor_field(name, Type::Int8));
    return error_of(ErrorKind::Argument, [&] { create(path(), schema); });
  };
  EXPECT_THAT(fault({"__metadata__"}), HasSubstr("the header uses that name itself"));
  EXPECT_THAT(fault({"a", "b", "a"}), HasSubstr("column \"a\": expected one column of that name"));
  EXPECT_THAT(fault({"\xff"}), HasSubstr("expected a name in UTF-8"));
  Schema many{tensor_field("v", Type::vector(Type::Float64, INT32_MAX))};
  WriteOptions options;
  options.rows = INT64_MAX;
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { create(path(), many, options); }),
              HasSubstr("more than a file can hold"));
}

}  // namespace
}  // namespace heron
