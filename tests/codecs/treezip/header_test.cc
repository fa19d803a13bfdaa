// The content of the first 32 bytes and the initial bits.
#include "treezip/header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "bytes/memory_source.h"
#include "error_of.h"
#include "temp_folder.h"

namespace heron::test {
namespace {

using testing::HasSubstr;
using treezip::Header;
using treezip::TreeFile;

struct Made {
  uint64_t size = 3;
  unsigned feat_addr = 0;
  unsigned feat_prev = 0;
  std::string stream = std::string(1, '\0');  // the leaf 0
  uint16_t version = treezip::kVersion;
  std::string padding = std::string(12, '\0');

  std::string bytes() const {
    treezip::StoredHeader stored;
    treezip::kMagic.copy(stored.magic, sizeof stored.magic);
    stored.size = size;
    stored.version = version;
    stored.feat_addr = static_cast<uint8_t>(feat_addr);
    stored.feat_prev = static_cast<uint8_t>(feat_prev);
    padding.copy(stored.padding, sizeof stored.padding);
    return std::string(reinterpret_cast<const char*>(&stored), sizeof stored) + stream;
  }
};

// Returns a source of the bytes in memory, which it owns.
std::shared_ptr<const ByteSource> source(const std::string& bytes) {
  const auto owner = std::make_shared<const std::string>(bytes);
  return std::make_shared<MemorySource>("a.tz", std::as_bytes(std::span(*owner)), owner);
}

constexpr uint64_t kAny = std::numeric_limits<uint64_t>::max();

TreeFile opened(const Made& made) {
  return TreeFile(source(made.bytes()), kAny, {});
}

Header header_of(const std::string& bytes) {
  return treezip::read_header(*source(bytes), {});
}

TEST(TreezipHeader, Numbers) {
  const Header header = header_of(Made{kAny, 255, 254}.bytes());
  EXPECT_EQ(header.size, kAny);
  EXPECT_EQ(header.feat_addr, 255U);
  EXPECT_EQ(header.feat_prev, 254U);
  EXPECT_EQ(header.features(), 509U);
}

TEST(TreezipHeader, NobodyLooksAtThePadding) {
  EXPECT_EQ(header_of(Made{.size = 7, .padding = "what is this"}.bytes()).size, 7U);
}

TEST(TreezipHeader, OnlyInitialBits) {
  const auto is_only_initial = [](uint64_t size, unsigned feat_prev) {
    return Header{size, 0, feat_prev}.is_only_initial();
  };
  EXPECT_TRUE(is_only_initial(0, 0));
  EXPECT_TRUE(is_only_initial(1, 8));
  EXPECT_TRUE(is_only_initial(1, 15));
  EXPECT_FALSE(is_only_initial(1, 7));
  EXPECT_FALSE(is_only_initial(2, 15));
  EXPECT_TRUE(is_only_initial(31, 255));
  EXPECT_FALSE(is_only_initial(32, 255));
  EXPECT_FALSE(is_only_initial(uint64_t{1} << 61, 0));  // 8 * size is 0 in 64 bits
}

TEST(TreezipHeader, WhatIsNoneSaysSo) {
  const std::string whole = Made().bytes();
  const auto refused = [](ErrorKind kind, const std::string& bytes) {
    return error_of(kind, [&] { header_of(bytes); });
  };
  EXPECT_THAT(refused(ErrorKind::UnknownFormat, ""), HasSubstr("a.tz: byte 0"));
  EXPECT_THAT(refused(ErrorKind::UnknownFormat, whole.substr(0, 7)), HasSubstr("TREEZIP"));
  EXPECT_THAT(refused(ErrorKind::UnknownFormat, "X" + whole.substr(1)), HasSubstr("TREEZIP"));
  EXPECT_THAT(refused(ErrorKind::Corrupt, whole.substr(0, 8)), HasSubstr("got 8"));
  EXPECT_THAT(refused(ErrorKind::Corrupt, whole.substr(0, 31)), HasSubstr("got 31"));
  EXPECT_THAT(refused(ErrorKind::Unsupported, Made{.version = 0}.bytes()), HasSubstr("byte 16"));
  EXPECT_THAT(refused(ErrorKind::Unsupported, Made{.version = 258}.bytes()), HasSubstr("got 258"));
}

TEST(TreezipFile, EndsNowhereBeforeTheTree) {
  const auto bits_of = [](unsigned feat_prev, const std::string& stream) {
    return opened({.feat_prev = feat_prev, .stream = stream}).bits().bits();
  };
  EXPECT_EQ(bits_of(0, std::string(1, '\0')), 8U);
  EXPECT_EQ(bits_of(7, std::string(1, '\0')), 8U);  // one bit; survey checks whether it is a tree
  const auto refused = [&](unsigned feat_prev, const std::string& stream) {
    return error_of(ErrorKind::Corrupt, [&] { bits_of(feat_prev, stream); });
  };
  EXPECT_THAT(refused(0, ""), HasSubstr("ends at byte 32, behind"));
  EXPECT_THAT(refused(8, std::string(1, '\0')), HasSubstr("ends at byte 33, behind"));
  EXPECT_THAT(refused(9, std::string(1, '\0')), HasSubstr("ends at byte 33, within"));
  EXPECT_THAT(refused(255, std::string(31, '\0')), HasSubstr("ends at byte 63, within"));
}

TEST(TreezipFile, BitsAreTheSameWithAndWithoutAMap) {
  const TempFolder folder;
  const std::string path = folder.write("a.tz", Made{.stream = "\x81\x42\x24 and more"}.bytes());
  for (const bool map : {true, false}) {
    const TreeFile file(open_file(path, map), kAny, {});
    EXPECT_TRUE(file.is_whole());
    EXPECT_EQ(file.bits().bytes, 12U);
    EXPECT_EQ(file.bits().peek(0) & 0xFFFFFF, 0x244281U);
    EXPECT_EQ(file.bits().peek(7) & 0xFFFF, 0x4885U);
    EXPECT_EQ(file.bits().peek(12 * 8 - 1), 0U);  // the upper bit of 'e' is 0
    EXPECT_EQ(file.bits().peek(12 * 8), 0U);
    EXPECT_EQ(file.bits().peek(kAny), 0U);
  }
}

TEST(TreezipFile, CopiesNoMoreThanRequested) {
  const TempFolder folder;
  const std::string stream(1000, 'a');
  const std::string path = folder.write("a.tz", Made{.feat_prev = 255, .stream = stream}.bytes());
  const TreeFile some(open_file(path, false), 100, {});
  EXPECT_EQ(some.bits().bytes, 100U);
  EXPECT_FALSE(some.is_whole());
  EXPECT_EQ(TreeFile(open_file(path, false), 1, {}).bits().bytes, 32U);  // the initial bits always
  EXPECT_TRUE(TreeFile(open_file(path, true), 1, {}).is_whole());        // no copy
}

TEST(TreezipFile, ACopyOfTheBitsCountsAsMemory) {
  const TempFolder folder;
  const std::string path = folder.write("a.tz", Made{.stream = std::string(1 << 20, '\0')}.bytes());
  Context context;
  context.memory = std::make_shared<MemoryBudget>(1 << 19);
  EXPECT_NO_THROW(TreeFile(open_file(path, true), 1 << 20, context));
  EXPECT_NO_THROW(TreeFile(open_file(path, false), 1 << 10, context));
  error_of(ErrorKind::Limit, [&] { TreeFile(open_file(path, false), 1 << 20, context); });
}

// Returns `bytes` payload bytes 'x' from `offset` on, overwritten by the initial bits.
std::string with_initial_bits(const TreeFile& file, uint64_t offset, size_t bytes) {
  std::string payload(bytes, 'x');
  file.put_initial_bits(offset, std::as_writable_bytes(std::span(payload)));
  return payload;
}

TEST(TreezipFile, InitialBitsGoWhereTheyBelong) {
  const TreeFile file = opened({.feat_prev = 20, .stream = "ab\xF5\x01"});
  const std::string whole = "ab\x75";  // four bits of F5, four of 'x'
  EXPECT_EQ(with_initial_bits(file, 0, 5), whole + "xx");
  EXPECT_EQ(with_initial_bits(file, 0, 3), whole);
  EXPECT_EQ(with_initial_bits(file, 0, 2), "ab");
  EXPECT_EQ(with_initial_bits(file, 1, 1), "b");
  EXPECT_EQ(with_initial_bits(file, 1, 3), "b\x75x");
  EXPECT_EQ(with_initial_bits(file, 2, 2), "\x75x");
  EXPECT_EQ(with_initial_bits(file, 3, 2), "xx");
  EXPECT_EQ(with_initial_bits(file, 0, 0), "");
  EXPECT_EQ(with_initial_bits(file, kAny - 8, 8), "xxxxxxxx");
}

TEST(TreezipFile, WholeInitialBytes) {
  const TreeFile file = opened({.feat_prev = 16, .stream = "ab\x01"});
  EXPECT_EQ(with_initial_bits(file, 0, 4), "abxx");
  EXPECT_EQ(with_initial_bits(file, 2, 2), "xx");
}

TEST(TreezipFile, ErrorsNameTheBit) {
  const TreeFile file = opened({});
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { file.fail_at(ErrorKind::Corrupt, 19, "no"); }),
              HasSubstr("a.tz: tree, bit 19 of the bit stream (byte 34): no"));
}

}  // namespace
}  // namespace heron::test
