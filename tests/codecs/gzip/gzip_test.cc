// gzip as a container, and its damage.
#include <gtest/gtest.h>

#include "bytes/memory_source.h"
#include "error_of.h"
#include "gzip/gzip.h"
#include "heron/heron.h"
#include "kit/real_files.h"

namespace heron {
namespace {

std::vector<std::byte> stored(const char* name) {
  return read_file(data_dir() / "gzip" / name);
}

std::string payload(std::span<const std::byte> bytes, const OpenOptions& options = {}) {
  const auto source = std::make_shared<MemorySource>("made", bytes);
  const Unwrapped unwrapped = gzip::unwrap(source, options, {}, {});
  std::string text(unwrapped.payload->size(), '\0');
  unwrapped.payload->read(0, std::as_writable_bytes(std::span(text)), {});
  return text;
}

TEST(Gzip, AllMembersAndPadding) {
  EXPECT_EQ(payload(stored("rows.csv.gz")), "a,b\n1,x\n2,y\n");
  EXPECT_EQ(payload(stored("members.csv.gz")), "a,b\n1,x\n2,y\n");
}

TEST(Gzip, DamageIsCorrupt) {
  const std::vector<std::byte> whole = stored("rows.csv.gz");
  for (size_t length = 0; length < whole.size(); ++length) {
    const auto cut = std::span(whole).first(length);
    EXPECT_EQ(test::error_of([&] { payload(cut); }).kind(), ErrorKind::Corrupt) << length;
  }
  std::vector<std::byte> longer = whole;
  longer.push_back(std::byte{1});
  EXPECT_EQ(test::error_of([&] { payload(longer); }).kind(), ErrorKind::Corrupt);
  std::vector<std::byte> flipped = whole;
  flipped[flipped.size() - 6] ^= std::byte{1};  // a byte of the checksum
  EXPECT_EQ(test::error_of([&] { payload(flipped); }).kind(), ErrorKind::Corrupt);
}

TEST(Gzip, LimitsAreKept) {
  OpenOptions options;
  options.max_decode = 11;
  const auto bytes = stored("rows.csv.gz");
  EXPECT_EQ(test::error_of([&] { payload(bytes, options); }).kind(), ErrorKind::Limit);
  options.max_decode = 12;
  EXPECT_EQ(payload(bytes, options).size(), 12U);
  // A trailer that claims 4 GB.
  std::vector<std::byte> liar = bytes;
  std::fill(liar.end() - 4, liar.end(), std::byte{0xFF});
  Context context;
  context.memory = std::make_shared<MemoryBudget>(uint64_t{1} << 20);
  const auto source = std::make_shared<MemorySource>("made", liar);
  EXPECT_EQ(test::error_of([&] { gzip::unwrap(source, {}, {}, context); }).kind(),
            ErrorKind::Corrupt);
}

}  // namespace
}  // namespace heron
