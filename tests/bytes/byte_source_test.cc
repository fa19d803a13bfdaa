#include "bytes/byte_source.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "bytes/memory_source.h"
#include "error_of.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;
using testing::StartsWith;

std::string read(const ByteSource& source, uint64_t offset, uint64_t bytes) {
  std::string text(bytes, '?');
  source.read(offset, std::as_writable_bytes(std::span(text)), Context{});
  return text;
}

TEST(MemorySource, ReadsAndKeepsItsOwner) {
  auto owner = std::make_shared<std::string>("abcdef");
  const std::weak_ptr<std::string> watch = owner;
  {
    const MemorySource source("memory", std::as_bytes(std::span(*owner)), owner);
    owner.reset();
    EXPECT_EQ(source.size(), 6u);
    EXPECT_EQ(read(source, 2, 3), "cde");
    EXPECT_EQ(read(source, 6, 0), "");
    EXPECT_EQ(std::memcmp(source.base(), "abcdef", 6), 0);
    EXPECT_NO_THROW(source.check_unchanged());
  }
  EXPECT_TRUE(watch.expired());
}

// Both ways to read a file: mapped (true) and with pread.
class FileSource : public testing::TestWithParam<bool> {
 protected:
  std::shared_ptr<const ByteSource> open(const std::string& path) {
    return open_file(path, GetParam());
  }
  void expect_changed(const ByteSource& source, const char* how) {
    const Error error = error_of([&] { source.check_unchanged(); });
    EXPECT_EQ(error.kind(), ErrorKind::Changed);
    EXPECT_THAT(error.what(), StartsWith(source.name() + ": " + how));
  }
  test::TempFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Ways, FileSource, testing::Bool(),
                         [](const auto& way) { return way.param ? "Mapped" : "Pread"; });

TEST_P(FileSource, Reads) {
  const auto source = open(folder_.write("a", "0123456789"));
  EXPECT_EQ(source->size(), 10u);
  EXPECT_EQ(source->name(), folder_ / "a");
  EXPECT_EQ(read(*source, 0, 10), "0123456789");
  EXPECT_EQ(read(*source, 7, 3), "789");
  EXPECT_EQ(read(*source, 10, 0), "");
  EXPECT_NO_THROW(source->check_unchanged());
  EXPECT_NO_THROW(source->check_recently());
  if (GetParam()) {
    ASSERT_NE(source->base(), nullptr);
    EXPECT_EQ(std::memcmp(source->base(), "0123456789", 10), 0);
  } else {
    EXPECT_EQ(source->base(), nullptr);
    EXPECT_EQ(source->bytes_read(), 13u);
  }
}

TEST_P(FileSource, Empty) {
  const auto source = open(folder_.write("empty", ""));
  EXPECT_EQ(source->size(), 0u);
  EXPECT_EQ(read(*source, 0, 0), "");
  EXPECT_NO_THROW(source->check_unchanged());
  folder_.write("empty", "x");
  expect_changed(*source, "has grown");
}

TEST_P(FileSource, BeyondFourGiB) {
  const std::string path = folder_.write("big", "first");
  const uint64_t offset = (uint64_t{5} << 30) + 123;
  ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(offset)), 0);
  std::ofstream(path, std::ios::binary | std::ios::app) << "last";
  const auto source = open(path);
  EXPECT_EQ(source->size(), offset + 4);
  EXPECT_EQ(read(*source, 0, 6), std::string("first\0", 6));
  EXPECT_EQ(read(*source, offset - 1, 5), std::string("\0last", 5));
  if (GetParam()) {
    EXPECT_EQ(std::memcmp(source->base() + offset, "last", 4), 0);
  }
}

TEST_P(FileSource, BoundsTheMetadataThatIsCopied) {
  const std::string path = folder_.write("big", "");
  ASSERT_EQ(::truncate(path.c_str(), off_t{1} << 30), 0);
  const auto source = open(path);
  constexpr uint64_t kMaxBytes = uint64_t{256} << 20;
  EXPECT_NO_THROW(source->check_metadata_of(kMaxBytes, "record", 8));
  if (GetParam()) {
    EXPECT_NO_THROW(source->check_metadata_of(kMaxBytes + 1, "record", 8));
    return;
  }
  const Error error = error_of([&] { source->check_metadata_of(kMaxBytes + 1, "record", 8); });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_THAT(error.what(), StartsWith(path + ": record at byte 8: expected at most 268435456 "));
}

TEST_P(FileSource, SaysWhatIsNoRegularFile) {
  const auto refused = [this](const std::string& path, const char* why) {
    const Error error = error_of([&] { open(path); });
    EXPECT_EQ(error.kind(), ErrorKind::Io);
    EXPECT_THAT(error.what(), StartsWith(path + ": "));
    EXPECT_THAT(error.what(), HasSubstr(why));
  };
  const std::string fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  refused(fifo, "is a FIFO");  // open does not wait for a writer
  refused(folder_.path(), "is a directory");
  refused("/dev/null", "is a character device");
  refused(folder_ / "missing", "No such file or directory");
}

TEST_P(FileSource, FindsAppended) {
  const std::string path = folder_.write("a", "0123");
  const auto source = open(path);
  std::ofstream(path, std::ios::app) << "4";
  expect_changed(*source, "has grown");
  EXPECT_EQ(read(*source, 0, 4), "0123");
}

TEST_P(FileSource, FindsWrittenInPlace) {
  const std::string path = folder_.write("a", "0123");
  const auto source = open(path);
  const timespec times[2] = {{0, UTIME_OMIT}, {1'000'000'000, 1}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  expect_changed(*source, "was written to");
  expect_changed(*source, "was written to");
}

TEST_P(FileSource, FindsCutShort) {
  const std::string path = folder_.write("a", std::string(3 * 4096, 'x'));
  const auto source = open(path);
  ASSERT_EQ(::truncate(path.c_str(), 4096), 0);
  EXPECT_EQ(read(*source, 4094, 2), "xx");
  const Error error = error_of([&] { read(*source, 4094, 4); });
  EXPECT_EQ(error.kind(), ErrorKind::Changed);
  EXPECT_THAT(error.what(), StartsWith(path + ": was cut short"));
  expect_changed(*source, "was cut short");
}

// No page of the map is lost, it shows zeros: only the file's size shows the cut.
TEST_P(FileSource, FindsCutShortWithinAPage) {
  const std::string path = folder_.write("a", "0123");
  const auto source = open(path);
  ASSERT_EQ(::truncate(path.c_str(), 2), 0);
  expect_changed(*source, "was cut short");
  EXPECT_EQ(read(*source, 0, 2), "01");
}

TEST_P(FileSource, ReplacedOrRemovedStaysValid) {
  const std::string path = folder_.write("a", "old content");
  const auto source = open(path);
  folder_.write("b", "new");
  std::filesystem::rename(folder_ / "b", path);
  EXPECT_NO_THROW(source->check_unchanged());
  std::filesystem::remove(path);
  EXPECT_NO_THROW(source->check_unchanged());
  EXPECT_EQ(read(*source, 0, 11), "old content");
}

TEST_P(FileSource, LooksAgainWhenTheClockHasTicked) {
  const std::string path = folder_.write("a", "0123");
  const auto source = open(path);
  source->check_recently();
  folder_.write("a", "01234");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  bool found = false;
  while (!found && std::chrono::steady_clock::now() < deadline) {
    try {
      source->check_recently();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Changed);
      found = true;
    }
  }
  EXPECT_TRUE(found);
  EXPECT_THROW(source->check_recently(), Error);  // also in the same tick
}

}  // namespace
}  // namespace heron
