// Files as the format's own program writes them, and what cannot be written.
#include "idv/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "codecs/idv/made_values.h"
#include "error_of.h"
#include "kit/random_batch.h"

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

// A folder that goes with the test.
class IdvWriter : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("idv_writer_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "file.idv").string(); }

  // The bytes of the file of these batches.
  std::string write(const SchemaPtr& schema, const std::vector<RowBatch>& batches,
                    const WriteOptions& options = {}, const Context& context = {},
                    const idv::WriteLimits& limits = {}) {
    const auto writer = idv::create(path(), *schema, options, context, limits);
    for (const RowBatch& batch : batches) writer->write(batch);
    writer->close();
    writer->publish();
    std::ifstream file(path(), std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(writer->bytes_written(), bytes.size());
    return bytes;
  }

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

// `count` numbers of `width` bytes, one after the other.
std::string numbers(uint64_t width, const std::vector<uint64_t>& values) {
  std::string bytes;
  for (const uint64_t value : values) bytes += bytes_of<uint64_t>({value}).substr(0, width);
  return bytes;
}

constexpr uint64_t kHeaderBytes = 256;
constexpr char kSignature[] = "CML\0DVB";  // and the 0 behind it
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
  options.block_rows = 2;
  options.compression = 0;

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

}  // namespace
}  // namespace heron
