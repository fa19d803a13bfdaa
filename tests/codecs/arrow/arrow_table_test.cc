// What the rows of Arrow files cost and promise: batches are blocks, nulls are known before they
// are read, decompressed bytes are limited, and only bodies that are needed are read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

std::string arrow_file(const std::string& name) {
  return (data_dir() / "arrow" / (name + ".arrow")).string();
}

std::vector<std::string> rows_of(const std::shared_ptr<const Table>& table) {
  return json_rows(read(Projection(table), {0, table->rows()}));
}

std::vector<std::string> arrow_rows(const std::string& name, const OpenOptions& options = {}) {
  return rows_of(open(arrow_file(name), options)->table());
}

TEST(ArrowTable, BatchesOfEvenRowsAreItsBlocks) {
  const auto file = open(arrow_file("batches_even"));
  EXPECT_EQ(file->table()->block_rows(), 16u);
  EXPECT_EQ(file->table()->block_count(), 4u);
  EXPECT_EQ(file->table()->block(3).rows(), 7u);
  EXPECT_EQ(open(arrow_file("batches_uneven"))->table()->block_rows(), 65'536u);
  EXPECT_EQ(open(arrow_file("types"))->table()->block_rows(), 65'536u);
}

TEST(ArrowTable, CompressedBodiesAndStreamsHaveTheSameRows) {
  EXPECT_EQ(arrow_rows("lz4_even"), arrow_rows("batches_even"));
  EXPECT_EQ(arrow_rows("stream_zstd"), arrow_rows("batches_even"));
  EXPECT_EQ(arrow_rows("zstd_uneven"), arrow_rows("batches_uneven"));
  EXPECT_EQ(arrow_rows("stream"), arrow_rows("batches_uneven"));
  EXPECT_EQ(arrow_rows("lz4_one"), arrow_rows("types"));
  EXPECT_EQ(arrow_rows("version_4"), arrow_rows("types"));
}

// Every field of these files may have nulls by the schema.
TEST(ArrowTable, ColumnsAreNullableIfABatchHasANull) {
  const auto plain = open(arrow_file("types_no_nulls"))->table();
  for (const Field& field : plain->schema()) {
    const bool is_nullable =
        field.type.is(Type::Null) || field.type.is_nested() || field.name == "struct.b.c";
    EXPECT_TRUE(is_nullable || !field.nullable) << field.name;
  }
  const auto table = open(arrow_file("dictionary_null"))->table();
  EXPECT_TRUE(table->field(0).nullable);
  EXPECT_FALSE(table->field(1).nullable);
}

TEST(ArrowTable, DecompressedBytesAreLimitedBeforeTheyAreAllocated) {
  OpenOptions options;
  options.max_decode = 16;
  const auto table = open(arrow_file("lz4_even"), options)->table();
  const std::string text = error_of(ErrorKind::Limit, [&] {
    read(Projection(table, {"large_utf8"}), {0, 3});
  });
  EXPECT_THAT(text, HasSubstr("batch 0"));
  EXPECT_THAT(text, HasSubstr("16 bytes"));
  EXPECT_EQ(arrow_rows("batches_even", options), arrow_rows("batches_even"));
}

TEST(ArrowTable, RandomRowsAcrossUnevenBatches) {
  const auto table = open(arrow_file("zstd_uneven"))->table();
  const auto all = rows_of(table);
  const Projection columns(table);
  const std::vector<uint64_t> rows = {63, 0, 12, 13, 32, 33, 34, 0, 40, 12};
  std::vector<std::string> expected;
  for (const uint64_t row : rows) expected.push_back(all[row]);
  EXPECT_EQ(json_rows(take(columns, rows)), expected);
  EXPECT_EQ(json_rows(read(columns, {12, 35})),
            std::vector<std::string>(all.begin() + 12, all.begin() + 35));
}

TEST(ArrowTable, FieldsHaveTheirMetadata) {
  const auto file = open(arrow_file("names"));
  const Field field = file->table()->field(0);
  ASSERT_EQ(field.metadata.size(), 1u);
  EXPECT_EQ(field.metadata[0].name, "unit");
  EXPECT_EQ(field.metadata[0].text, "kg");
}

TEST(ArrowTable, TypesWithoutAnEquivalentAreNamed) {
  const auto table = open(arrow_file("unread_types"))->table();
  for (const auto& [name, type] : {std::pair("decimal256", "decimal256(50, 2)"),
                                   std::pair("hundreds", "decimal128(10, -2)"),
                                   std::pair("map", "Map")}) {
    const auto column = table->find_column(name);
    ASSERT_TRUE(column.has_value());
    EXPECT_FALSE(table->field(*column).readable);
    EXPECT_THAT(table->field(*column).reason, HasSubstr(type));
  }
  EXPECT_TRUE(table->field(*table->find_column("after")).readable);
}

TEST(ArrowTable, AStructIsFoundByItsChildren) {
  const auto table = open(arrow_file("types"))->table();
  EXPECT_GT(count(Query(table, "struct.b.c is null")), count(Query(table, "struct.a is null")));
  const Error error = error_of([&] { Projection(table, {"struct.b"}); });
  EXPECT_THAT(error.what(), HasSubstr("is a struct, whose children are columns such as"));
  EXPECT_THAT(error.what(), HasSubstr("\"struct.b.c\""));
}

TEST(ArrowTable, TextsOfTheSchemaAreInTheHeader) {
  const auto header = open(arrow_file("names"))->header();
  EXPECT_THAT(header, testing::Contains(testing::Pair("made", "by hand")));
}

// Streams before format version 0.15 begin with the length of the schema.
TEST(ArrowTable, OldStreamsAreDetected) {
  const auto file = open(arrow_file("stream_old_framing"));
  EXPECT_EQ(file->format(), "arrow");
  EXPECT_EQ(file->table()->rows(), 46u);
  const std::vector<std::string> rows = rows_of(file->table()), types = arrow_rows("types");
  EXPECT_TRUE(std::equal(types.begin(), types.end(), rows.begin()));
}

// A stream has no signature: its first message must have a schema.
TEST(ArrowTable, OtherFilesAreNoStreams) {
  const test::TempFolder folder;
  const std::string path = folder / "other";
  std::ofstream(path, std::ios::binary)
      << std::string(4, '\xff') << std::string("\x10\0\0\0", 4) << std::string(16, '\x08');
  EXPECT_NE(error_of([&] { open(path); }).kind(), ErrorKind::Io);
}

std::vector<std::string> groups_of(const std::shared_ptr<const Table>& table,
                                   const std::vector<std::string>& by, const char* aggregates,
                                   const char* where = nullptr) {
  Query query = where == nullptr ? Query(table) : Query(table, where);
  query.by = by;
  return json_rows(group_by(query, parse_aggregates(*table, aggregates)));
}

// Dictionaries that grow, are replaced, have nulls; batches that are decompressed, and of which
// several are read together.
TEST(ArrowTable, GroupsByCodesAreThoseByTexts) {
  const test::TempFolder folder;
  for (const auto& [name, column] :
       std::vector<std::pair<std::string, std::string>>{{"dictionary_deltas", "city"},
                                                        {"dictionary_deltas_file", "city"},
                                                        {"dictionary_replaced", "city"},
                                                        {"dictionary_null", "city"},
                                                        {"types", "codes"},
                                                        {"batches_even", "codes"},
                                                        {"batches_uneven", "codes"},
                                                        {"lz4_even", "codes"}}) {
    SCOPED_TRACE(name);
    const auto coded = open(arrow_file(name))->table();
    const std::string plain_path = folder / (name + ".jay");
    ConvertOptions options;
    options.write.replace = true;
    Query query(coded);
    const std::string number = name.starts_with("dictionary") ? "row" : "int64";
    query.columns = std::vector{column, number};
    convert(table_rows(query), plain_path, options);
    const auto plain = open(plain_path)->table();
    const std::string most = "count, min(" + number + "), max(" + column + ")";
    const std::string some = number + " % 3 = 0";
    EXPECT_EQ(groups_of(coded, {column}, "count"), groups_of(plain, {column}, "count"));
    EXPECT_EQ(groups_of(coded, {column}, most.c_str()), groups_of(plain, {column}, most.c_str()));
    EXPECT_EQ(groups_of(coded, {column}, "count", some.c_str()),
              groups_of(plain, {column}, "count", some.c_str()));
    EXPECT_EQ(groups_of(coded, {column, number}, "count"),
              groups_of(plain, {column, number}, "count"));
  }
}

TEST(ArrowTable, GroupsByCodesOfManyFiles) {
  const std::vector<std::string> names = {arrow_file("dictionary_deltas"),
                                          arrow_file("dictionary_null")};
  const auto both = open(names)->table();
  EXPECT_THAT(groups_of(both, {"city"}, "count"),
              testing::UnorderedElementsAre(
                  R"({"city":"oslo","count":5})", R"({"city":"rome","count":4})",
                  R"({"city":null,"count":4})", R"({"city":"lima","count":2})",
                  R"({"city":"bern","count":2})"));
}

}  // namespace
}  // namespace heron
