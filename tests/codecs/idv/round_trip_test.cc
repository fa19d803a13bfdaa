// The reader reads back what the writer wrote: every type, block size and compression; and files of
// the format's own program are written again byte for byte.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/dataset_rows.h"
#include "kit/json_rows.h"
#include "kit/random_batch.h"
#include "kit/real_files.h"

namespace heron {
namespace {

using test::lines_of;
using Lines = std::vector<std::string>;
using SchemaPtr = std::shared_ptr<const Schema>;

class IdvRoundTrip : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("idv_round_trip_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "file.idv").string(); }

  void write(const Schema& schema, const std::vector<RowBatch>& batches,
             WriteOptions options) const {
    options.replace = true;
    const auto writer = create(path(), schema, options);
    for (const RowBatch& batch : batches) writer->write(batch);
    writer->close();
    writer->publish();
  }

  std::filesystem::path folder_;
};

const std::vector<Type>& scalar_types() {
  static const std::vector<Type> types = {
      Type::Bool,
      Type::Int8,
      Type::Int16,
      Type::Int32,
      Type::Int64,
      Type::UInt8,
      Type::UInt16,
      Type::UInt32,
      Type::UInt64,
      Type::Float32,
      Type::Float64,
      Type::Text,
      Type::DateTime,
      Type::DateTimeOffset,
      Type::Duration,
      Type::RowId,
      Type::key(Type::UInt8, 200),
      Type::key(Type::UInt16, 300),
      Type::key(Type::UInt32, 70'000),
      Type::key(Type::UInt64, UINT64_MAX),
  };
  return types;
}

SchemaPtr schema_of_all_types() {
  auto schema = std::make_shared<Schema>();
  const auto add = [&](const Type& type) {
    schema->push_back({.name = concat('c', schema->size()),
                       .type = type,
                       .encoding = {},
                       .reason = {},
                       .metadata = {}});
  };
  for (const Type& type : scalar_types()) {
    add(type);
    add(Type::vector(type, 4));
    add(Type::vector(type));
    for (const std::vector<uint64_t>& shape : {std::vector<uint64_t>{2, 3}, {1, 1, 2}, {0, 3}}) {
      add(Type::vector(type, shape));
    }
  }
  return schema;
}

Lines rows_in(const std::string& path) {
  const auto opened = open(path);
  verify(*opened);
  return json_rows(read(Projection(opened->table()), {0, opened->table()->rows()}));
}

TEST_F(IdvRoundTrip, EveryTypeBlockSizeAndCompression) {
  const SchemaPtr schema = schema_of_all_types();
  const std::vector<RowBatch> batches = {random_batch(schema, 17, 0, 1),
                                         random_batch(schema, 1, 0, 2),
                                         random_batch(schema, 40, 0, 3)};
  const Lines expected = lines_of(batches);
  for (const uint64_t block_rows : {0, 1, 13, 58}) {
    for (const int compression : {-1 /* the default */, 0, 1, 12}) {
      WriteOptions options;
      options.set("block_rows", block_rows);
      if (compression >= 0) options.set("compression", compression);
      write(*schema, batches, options);
      EXPECT_EQ(rows_in(path()), expected) << block_rows << ' ' << compression;
    }
  }
}

TEST_F(IdvRoundTrip, NullKeysStayNull) {
  auto schema = std::make_shared<Schema>();
  schema->push_back({.name = "k",
                     .type = Type::key(Type::UInt16, 300),
                     .encoding = {},
                     .reason = {},
                     .metadata = {}});
  schema->push_back(schema->front());
  schema->back().name = "v";
  schema->back().type = Type::vector(schema->front().type);
  const std::vector<RowBatch> batches = {random_batch(schema, 100, 0.3, 1)};
  write(*schema, batches, {});
  EXPECT_EQ(rows_in(path()), lines_of(batches));
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The files are not compressed, their names differ, and their texts have no halves of characters.
class IdvReproduced : public IdvRoundTrip, public testing::WithParamInterface<const char*> {};

TEST_P(IdvReproduced, ByteForByte) {
  const std::string original = data_dir() / "idv" / concat(GetParam(), ".idv");
  const auto table = open(original)->table();
  WriteOptions options;
  options.set("block_rows", table->block_rows());
  options.set("compression", 0);
  write(table->schema(), {read(Projection(table), {0, table->rows()})}, options);
  EXPECT_EQ(bytes_of(path()), bytes_of(original));
}

INSTANTIATE_TEST_SUITE_P(Files, IdvReproduced,
                         testing::Values("bool_none_rpb13", "cols_zero_rows_5",
                                         "float_special_none", "one_row", "scalars_all_none_1block",
                                         "scalars_all_none_rpb10_exact", "text_unicode_none_rpb4",
                                         "vector_shapes_none", "vectors_dense_fixed_none",
                                         "vectors_mixed_variable_none"));

// Returns a line such as "CategoricalSlotRanges vector<int32>[2x2]" for each typed metadata.
Lines types_of_metadata(const Table& table) {
  Lines types;
  for (const Field& field : table.schema()) {
    for (const Metadata& one : field.metadata) {
      if (one.value == nullptr) continue;
      types.push_back(concat(one.name, ' ', one.value->columns.front().type.name()));
    }
  }
  return types;
}

TEST_F(IdvRoundTrip, MetadataKeepsItsShape) {
  const auto opened = open(data_dir() / "idv" / "metadata_many.idv");
  const Lines before = types_of_metadata(*opened->table());
  EXPECT_EQ(before[2], "CategoricalSlotRanges vector<int32>[2x2]");
  convert(table_rows(Projection(opened->table())), path());
  EXPECT_EQ(types_of_metadata(*open(path())->table()), before);
}

}  // namespace
}  // namespace heron
