// Files have the bytes that the format's own program writes; and errors of writing.
#include "idv/write/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "codecs/idv/made_values.h"
#include "error_of.h"
#include "generate/preset.h"

namespace heron {
namespace {

using test::bytes_of;
using test::error_of;
using test::made;
using test::Made;
using test::made_text;
using test::made_vector;
using test::Row;
using testing::HasSubstr;
using SchemaPtr = std::shared_ptr<const Schema>;

// A folder that is removed with the test.
class IdvWriter : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("idv_writer_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "file.idv").string(); }

  // Returns the bytes of the file of these batches.
  std::string write(const SchemaPtr& schema, const std::vector<RowBatch>& batches,
                    WriteOptions options = {}, const Context& context = {},
                    const idv::WriteLimits& limits = {}) {
    options.replace = true;
    const auto writer = idv::create(path(), *schema, options, context, limits);
    for (const RowBatch& batch : batches) writer->write(batch);
    writer->close();
    writer->publish();
    std::ifstream file(path(), std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(writer->bytes_written(), bytes.size());
    return bytes;
  }

  std::string write_made_up(uint64_t rows, uint64_t some, const WriteOptions& options,
                            const Context& context = {}, const idv::WriteLimits& limits = {});
  std::string refusal(const Made& good, const Made& bad);

  std::filesystem::path folder_;
};

RowBatch batch_of(const std::vector<std::pair<std::string, Made>>& columns) {
  auto schema = std::make_shared<Schema>();
  RowBatch batch;
  batch.memory = std::make_shared<Arena>();
  for (const auto& [name, made] : columns) {
    schema->push_back(
        {.name = name, .type = made.values.type, .encoding = {}, .reason = {}, .metadata = {}});
    batch.columns.push_back(made.values);
    batch.rows = made.values.rows;
    batch.memory->keep(made.memory);
  }
  batch.schema = schema;
  return batch;
}

Metadata metadata_of(const std::string& name, const Made& value) {
  return {name, std::make_shared<const RowBatch>(batch_of({{"value", value}}))};
}

// Returns the numbers, `width` bytes each, one after the other.
std::string numbers(uint64_t width, const std::vector<uint64_t>& values) {
  std::string bytes;
  for (const uint64_t value : values) bytes += bytes_of<uint64_t>({value}).substr(0, width);
  return bytes;
}

constexpr uint64_t kHeaderBytes = 256;
constexpr char kSignature[] = "CML\0DVB";  // with the 0 behind it
constexpr char kTail[] = "\0BVD\0LMC";

std::string header(uint64_t contents, uint64_t tail, uint64_t rows, uint64_t columns) {
  const uint64_t version = 0x0001'0001'0001'0006;
  std::string bytes = std::string(kSignature, 8) +
                      numbers(8, {version, version, contents, tail, rows}) + numbers(4, {columns});
  bytes.resize(kHeaderBytes);
  return bytes;
}

TEST_F(IdvWriter, WritesTheBytesThatTheFormatAsksFor) {
  const RowBatch batch = batch_of(
      {{"n", made<int16_t>(Type::Int16, {1, -2, 3})}, {"t", made_text({"\u00e5", "b", "\u20ac"})}});
  auto schema = std::make_shared<Schema>(*batch.schema);
  (*schema)[1].metadata = {{"Note", std::string("x")},
                           metadata_of("Ids", made<uint8_t>(Type::key(Type::UInt8, 9), {7}))};
  WriteOptions options;
  options.set("block_rows", 2);
  options.set("compression", 0);

  std::string expected = header(407, 464, 3, 2);
  expected += numbers(2, {1, 0xfffe});                          // at 256: n, rows 0, 1
  expected += numbers(4, {2, 1, 2}) + "\x03" + "\u00e5" + "b";  // at 260: t
  expected += numbers(2, {3});                                  // at 276: n, row 2
  expected += numbers(4, {1, 1}) + "\x03" + "\u20ac";           // at 278: t
  expected += numbers(8, {256}) + numbers(4, {4, 4});           // at 290: blocks of n
  expected += numbers(8, {276}) + numbers(4, {2, 2});           //
  expected += numbers(8, {260}) + numbers(4, {16, 16});         // at 322: blocks of t
  expected += numbers(8, {278}) + numbers(4, {12, 12});         //
  expected += numbers(4, {1, 1}) + "\x01x";                     // at 354: Note
  expected += "\x07";                                           // at 364: Ids
  expected += std::string("\x02\x04Note\x08TextSpan\0\0", 17);  // at 365: of two
  expected += numbers(8, {354}) + "\x0a";                       //
  expected += std::string(
      "\x03Ids\x04Key2\x0e\x04"
      "Byte\0",
      16);                                             //
  expected += numbers(8, {9}) + std::string("\0", 1);  //
  expected += numbers(8, {364}) + "\x01";              //
  const uint64_t contents = expected.size();
  expected += std::string("\x01n\x05Int16\0\0\x02", 11) + numbers(8, {290, 0});
  expected += std::string("\x01t\x08TextSpan\0\0\x02", 14) + numbers(8, {322, 365});
  const uint64_t tail = expected.size();
  expected += std::string(kTail, 8);
  expected.replace(0, kHeaderBytes, header(contents, tail, 3, 2));
  EXPECT_EQ(write(schema, {batch}, options), expected);
}

TEST_F(IdvWriter, RowsWithoutColumns) {
  RowBatch batch;
  batch.schema = std::make_shared<Schema>();
  batch.rows = 5;
  EXPECT_EQ(write(batch.schema, {batch}), header(256, 256, 5, 0) + std::string(kTail, 8));
}

TEST_F(IdvWriter, ColumnsWithoutRows) {
  const RowBatch batch = batch_of({{"n", made<int32_t>(Type::Int32, {})}});
  EXPECT_EQ(write(batch.schema, {batch}), header(256, 283, 0, 1) +
                                              std::string("\x01n\x05Int32\0\x01\x01", 11) +
                                              numbers(8, {256, 0}) + std::string(kTail, 8));
}

// Writes the preset's rows, `some` in each batch; returns the file.
std::string IdvWriter::write_made_up(uint64_t rows, uint64_t some, const WriteOptions& options,
                                     const Context& context, const idv::WriteLimits& limits) {
  const auto preset = generate::make_preset("peers", 1);
  std::vector<RowBatch> batches;
  for (uint64_t done = 0; done < rows; done += some) {
    preset->fill(std::min(some, rows - done), batches.emplace_back());
  }
  return write(preset->schema(), batches, options, context, limits);
}

TEST_F(IdvWriter, BatchesAndThreadsDoNotShow) {
  WriteOptions options;
  options.set("block_rows", 100);
  const std::string expected = write_made_up(4050, 4050, options);
  for (const uint64_t some : {1, 99, 100, 101, 350}) {
    Context context;
    context.threads = 4;
    EXPECT_EQ(write_made_up(4050, some, options), expected) << some;
    EXPECT_EQ(write_made_up(4050, some, options, context), expected) << some;
  }
}

TEST_F(IdvWriter, CompressesHarderAtHigherLevels) {
  const auto bytes = [&](std::optional<int> level) {
    WriteOptions options;
    if (level) options.set("compression", *level);
    return write_made_up(2000, 2000, options).size();
  };
  EXPECT_LT(bytes(1), bytes(0));
  EXPECT_LT(bytes(12), bytes(1));
  EXPECT_EQ(bytes({}), bytes(6));
  for (const int level : {-2, 13}) {
    WriteOptions options;
    options.set("compression", level);
    const Error error = error_of([&] { create(folder_ / "x.idv", {}, options); });
    EXPECT_EQ(error.kind(), ErrorKind::Argument);
    EXPECT_THAT(error.what(), HasSubstr("0 to 12"));
  }
}

// A row is 8 and 4 + 5 bytes; a block of texts has 9 more.
TEST_F(IdvWriter, BlocksGetFewerRowsWhereTheseAreLarge) {
  const std::vector<std::string> texts(100, "abcde");
  const std::vector<int64_t> numbers(texts.size());
  const RowBatch all =
      batch_of({{"n", made<int64_t>(Type::Int64, numbers)}, {"t", made_text(texts)}});
  const RowBatch one =
      batch_of({{"n", made<int64_t>(Type::Int64, {0})}, {"t", made_text({texts.front()})}});
  const auto with = [&](const std::vector<RowBatch>& batches, uint64_t rows, uint64_t bytes) {
    WriteOptions options;
    options.set("block_rows", rows);
    options.set("compression", 0);
    return write(all.schema, batches, options, {}, {.block_rows = 50, .block_bytes = bytes});
  };
  const std::vector<RowBatch> ones(100, one);
  for (const auto& batches : {std::vector{all}, ones}) {
    EXPECT_EQ(with(batches, 0, 9 + 40 * 17), with(batches, 40, 0));
    EXPECT_EQ(with(batches, 0, 9 + 40 * 17 - 1), with(batches, 39, 0));
    EXPECT_EQ(with(batches, 0, 9 + 50 * 17), with(batches, 50, 0));
    EXPECT_EQ(with(batches, 0, 1000), with(batches, 50, 0));
    EXPECT_EQ(with(batches, 0, 1), with(batches, 1, 0));
  }
}

TEST_F(IdvWriter, BlocksHaveNoMoreRowsThanThereAre) {
  WriteOptions one_block, large, larger;
  one_block.set("block_rows", 30);
  larger.set("block_rows", UINT64_MAX);
  EXPECT_EQ(write_made_up(30, 7, large), write_made_up(30, 7, one_block));
  EXPECT_EQ(write_made_up(30, 7, larger), write_made_up(30, 7, one_block));
}

TEST_F(IdvWriter, MetadataIsCompressedOnlyWhereThatIsSmaller) {
  const RowBatch batch = batch_of({{"n", made<int32_t>(Type::Int32, {})}});
  const auto bytes = [&](const std::string& text, int level) {
    auto schema = std::make_shared<Schema>(*batch.schema);
    schema->front().metadata = {{"k", text}};
    WriteOptions options;
    options.set("compression", level);
    return write(schema, {}, options).size();
  };
  EXPECT_EQ(bytes("q3k", 6), bytes("q3k", 0));
  EXPECT_LT(bytes(std::string(100, 'a'), 6), bytes(std::string(100, 'a'), 0) - 80);
}

TEST_F(IdvWriter, TypesItDoesNotHaveAreNamed) {
  auto schema = std::make_shared<Schema>();
  const auto add = [&](const char* name, const Type& type) {
    schema->push_back({.name = name, .type = type, .encoding = {}, .reason = {}, .metadata = {}});
  };
  add("fine", Type::Int8);
  add("date", Type::Date32);
  add("keyless", Type::key(Type::UInt32, 0));
  add("keys", Type::key(Type::UInt8, 256));
  add("list", Type::list(Type::Int32));
  schema->front().metadata = {
      metadata_of("When", made<int64_t>(Type::Timestamp, std::vector<int64_t>{1}))};
  const Error error = error_of([&] { write(schema, {}); });
  EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
  EXPECT_THAT(error.what(), HasSubstr("\"fine\", metadata \"When\" (timestamp[ns])"));
  EXPECT_THAT(error.what(), HasSubstr("\"date\" (date32), \"keyless\""));
  EXPECT_THAT(error.what(), HasSubstr("\"keyless\" (key<uint32>[0]), \"keys\""));
  EXPECT_THAT(error.what(), HasSubstr("\"list\" (list<int32>)"));
}

// Returns the error of writing `bad` after `good`.
std::string IdvWriter::refusal(const Made& good, const Made& bad) {
  const RowBatch before = batch_of({{"c", good}});
  const auto writer = idv::create(path(), *before.schema, {}, {});
  writer->write(before);
  const Error error = error_of([&] { writer->write(batch_of({{"c", bad}})); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  return error.what();
}

TEST_F(IdvWriter, NullValuesThatHaveNoStandInAreRefused) {
  const Made good = made<int32_t>(Type::Int32, {1, 2, 3});
  Made bad = good;
  bad.miss({1});
  EXPECT_THAT(refusal(good, bad), HasSubstr("column \"c\": row 4 has a null"));

  const Made vectors =
      made_vector(Type::vector(Type::Int32), std::vector<Row<int32_t>>(3, {0, {}}));
  Made items = made_vector(Type::vector(Type::Int32),
                           std::vector<Row<int32_t>>{{1, {1}}, {9, {2, 3}, {4, 5}}});
  test::Made inner{items.values.children[0].children[0], items.memory};
  inner.miss({2});
  items.values.children[0].children[0] = inner.values;
  EXPECT_THAT(refusal(vectors, items), HasSubstr("column \"c\": row 4 has a null"));
}

TEST_F(IdvWriter, VectorsThatAreNotAsTheirTypeSaysAreRefused) {
  const Made good =
      made_vector(Type::vector(Type::Int32, 2), std::vector<Row<int32_t>>(3, {2, {1, 2}}));
  const auto refused = [&](const Row<int32_t>& row) {
    return refusal(good, made_vector(Type::vector(Type::Int32, 2),
                                     std::vector<Row<int32_t>>{{2, {}, {}}, row}));
  };
  EXPECT_THAT(refused({3, {1, 2, 3}}), HasSubstr("row 4: expected 2 slots, got 3"));
  EXPECT_THAT(refused({2, {1}}), HasSubstr("row 4 of 2 slots stores 1 and says where to put 0"));
  EXPECT_THAT(refused({2, {1, 2, 3}, {0, 1, 1}}), HasSubstr("row 4 of 2 slots stores 3"));
}

}  // namespace
}  // namespace heron
