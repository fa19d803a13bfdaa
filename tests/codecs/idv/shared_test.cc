// Bytes that columns share in the file are decoded for each of them, up to a limit that the file's
// size explains.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fail.h"
#include "codecs/idv/made_file.h"
#include "error_of.h"

namespace heron::test::views {
namespace {

using idv::Compression;
using testing::HasSubstr;

constexpr uint64_t kHugeBytes = uint64_t{64} << 20;
const std::string kByte = codec("SByte");

// Makes a file whose columns share one compressed block of zeros, one byte a row.
MadeFile sharing(uint64_t columns) {
  const std::string zeros(kHugeBytes, '\0');
  MadeFile file{.rows = kHugeBytes, .block_rows = kHugeBytes};
  file.columns.push_back({"c0", kByte, {zeros}, Compression::Deflate});
  const auto lookup =
      static_cast<int64_t>(sizeof(idv::Header) + stored(zeros, Compression::Deflate).size());
  for (uint64_t i = 1; i < columns; ++i) {
    file.columns.push_back({concat('c', i), kByte, {}, Compression::Deflate});
    file.columns.back().lookup_offset = lookup;
  }
  return file;
}

ErrorKind kind_of(const std::function<void()>& ask) {
  return error_of(ask).kind();
}

TEST(IdvShared, BlocksAreHeldUpToWhatTheFileCanHold) {
  OpenOptions options;
  options.cache_bytes = 0;
  const auto opened = open_bytes(sharing(6).bytes(), true, options);
  const auto& table = opened->table();
  EXPECT_EQ(read(Projection(table, std::vector<std::string>{"c5"}), {0, 10}).rows, 10u);
  EXPECT_EQ(kind_of([&] { read(Projection(table), {0, 10}); }), ErrorKind::Limit);
}

TEST(IdvShared, BlocksOfAllColumnsAreCountedBeforeAWholeRead) {
  const auto opened = open_bytes(sharing(65).bytes());  // 4.06 GiB
  EXPECT_EQ(kind_of([&] { verify(*opened); }), ErrorKind::Limit);
  EXPECT_EQ(kind_of([&] { Scan(opened->table()); }), ErrorKind::Limit);
  EXPECT_EQ(kind_of([&] { stats(Projection(opened->table())); }), ErrorKind::Limit);
  const Projection one(opened->table(), std::vector<std::string>{"c64"});
  EXPECT_EQ(stats(one).front().distinct, 1u);
}

MadeFile with_metadata(uint64_t columns, const std::vector<MadeMetadata>& metadata) {
  MadeFile file{.rows = 1, .block_rows = 1};
  file.columns.push_back({"c0", kByte, {"x"}, Compression::None, metadata});
  const std::string bytes = file.bytes();
  // The last 8 bytes before the tail have the offset of the first column's metadata contents.
  int64_t at = 0;
  std::memcpy(&at, bytes.data() + bytes.size() - 16, sizeof at);
  for (uint64_t i = 1; i < columns; ++i) {
    file.columns.push_back({concat('c', i), kByte, {"x"}, Compression::None});
    file.columns.back().metadata_offset = at;
  }
  return file;
}

MadeMetadata text(const std::string& kind, uint64_t bytes, Compression compression) {
  return {kind, codec("TextSpan"), text_block({std::string(bytes, 'x')}), compression};
}

TEST(IdvShared, MetadataIsCounted) {
  const auto few = open_bytes(with_metadata(20, {text("k", 100'000, Compression::None)}).bytes());
  EXPECT_EQ(few->table()->schema().size(), 20u);
  const auto many =
      open_bytes(with_metadata(2000, {text("k", 100'000, Compression::Deflate)}).bytes());
  EXPECT_EQ(many->table()->field(1999).metadata.size(), 1u);
  EXPECT_THAT(error_of([&] { many->table()->schema(); }).what(), HasSubstr("share metadata"));
  EXPECT_THAT(verify(*many), testing::IsEmpty());  // verify reads no metadata
}

TEST(IdvShared, MetadataThatBecomesVeryLongIsLimited) {
  const auto opened =
      open_bytes(with_metadata(1, {text("k", uint64_t{16} << 20, Compression::Deflate)}).bytes());
  // The limit of its own, which is seen while it is decompressed.
  const Error error = error_of([&] { opened->table()->schema(); });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_THAT(error.what(), HasSubstr("metadata \"k\" of column"));
  EXPECT_THAT(error.what(), HasSubstr("decompressed bytes, got more"));
}

TEST(IdvShared, ABlockThatBecomesFarMoreThanItClaimsIsLimited) {
  MadeFile file{.rows = 1, .block_rows = 1};
  file.columns.push_back(
      {"c0", kByte, {std::string(uint64_t{16} << 20, '\0')}, Compression::Deflate});
  file.columns.back().block_bytes = 1;
  const auto opened = open_bytes(file.bytes());
  const Error error = error_of([&] { read(Projection(opened->table()), {0, 1}); });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_THAT(error.what(), HasSubstr("block 0 of column \"c0\" at byte"));
  EXPECT_THAT(error.what(), HasSubstr("expected 1 decompressed bytes, got far more"));
}

TEST(IdvShared, KindsAreLimited) {
  std::vector<MadeMetadata> metadata;
  for (int i = 0; i < 1001; ++i) metadata.push_back(text(concat('k', i), 1, Compression::None));
  const auto opened = open_bytes(with_metadata(1, metadata).bytes());
  EXPECT_EQ(kind_of([&] { opened->table()->metadata(0); }), ErrorKind::Limit);
  metadata.pop_back();
  EXPECT_EQ(open_bytes(with_metadata(1, metadata).bytes())->table()->metadata(0).size(), 1000u);
}

}  // namespace
}  // namespace heron::test::views
