#include "bytes/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "error_of.h"
#include "kit/refused_calls.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

class OutputFileTest : public testing::Test {
 protected:
  test::TempFolder folder_;
};

TEST_F(OutputFileTest, AppearsWholeAndAlone) {
  const mode_t mask = ::umask(027);
  OutputFile file(folder_ / "out");
  ::umask(mask);
  file.write_at(6, bytes_of("world"));
  file.write_at(0, bytes_of("hello"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  file.publish();
  EXPECT_EQ(folder_.read("out"), std::string("hello\0world", 11));
  EXPECT_EQ(folder_.file_count(), 1);
  struct stat status;
  ASSERT_EQ(::stat((folder_ / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

// Runs calls on a thread of its own for which the file system has no files without names, no names
// for them by renaming, or no /proc.
class Ways : public OutputFileTest, public testing::WithParamInterface<test::Without> {
 protected:
  template <class Call>
  void there(Call call) const {
    std::thread([&] {
      test::refuse(GetParam());
      call();
    }).join();
  }
  // Returns 1 where the unpublished file must have a name.
  int64_t unpublished() const { return GetParam() == test::Without::Nothing ? 0 : 1; }
};

INSTANTIATE_TEST_SUITE_P(Without, Ways, testing::ValuesIn(test::kWithout),
                         [](const auto& way) { return test::name_of(way.param); });

TEST_P(Ways, AbandonedLeavesTheOldOne) {
  folder_.write("out", "old");
  there([&] {
    OutputFile file(folder_ / "out", Existing::Replace);
    file.write_at(0, bytes_of("new"));
    EXPECT_EQ(folder_.file_count(), 1 + unpublished());
  });
  EXPECT_EQ(folder_.read("out"), "old");
  EXPECT_EQ(folder_.file_count(), 1);
}

TEST_P(Ways, ReplacesTheOldOneOnRequest) {
  folder_.write("out", "something old");
  there([&] {
    OutputFile file(folder_ / "out", Existing::Replace);
    file.write_at(0, bytes_of("new"));
    file.publish();
  });
  EXPECT_EQ(folder_.read("out"), "new");
  EXPECT_EQ(folder_.file_count(), 1);
}

TEST_P(Ways, KeepsTheOldOneElse) {
  folder_.write("out", "old");
  there([&] {
    const Error error = error_of([&] { OutputFile file(folder_ / "out"); });
    EXPECT_EQ(error.kind(), ErrorKind::Write);
    EXPECT_THAT(error.what(), StartsWith(folder_ / "out: already exists"));
  });
  EXPECT_EQ(folder_.read("out"), "old");
  EXPECT_EQ(folder_.file_count(), 1);
}

TEST_P(Ways, KeepsALinkThatLeadsNowhere) {
  std::filesystem::create_symlink("nowhere", folder_ / "out");
  there([&] {
    EXPECT_THAT(error_of(ErrorKind::Write, [&] { OutputFile file(folder_ / "out"); }),
                StartsWith(folder_ / "out: already exists"));
  });
  EXPECT_EQ(folder_.file_count(), 1);
}

TEST_P(Ways, KeepsOneThatCameInBetween) {
  there([&] {
    OutputFile file(folder_ / "out");
    file.write_at(0, bytes_of("new"));
    folder_.write("out", "old");
    const Error error = error_of([&] { file.publish(); });
    EXPECT_EQ(error.kind(), ErrorKind::Write);
    EXPECT_THAT(error.what(), StartsWith(folder_ / "out: already exists"));
  });
  EXPECT_EQ(folder_.read("out"), "old");
  EXPECT_EQ(folder_.file_count(), 1);
}

TEST_P(Ways, CannotReplaceAFolderThatCameInBetween) {
  there([&] {
    OutputFile file(folder_ / "out", Existing::Replace);
    std::filesystem::create_directory(folder_ / "out");
    EXPECT_THAT(error_of([&] { file.publish(); }).what(),
                AllOf(StartsWith(folder_ / "out: "), HasSubstr("Is a directory")));
  });
  EXPECT_EQ(folder_.file_count(), 1);
}

TEST_P(Ways, AllOrNone) {
  there([&] {
    std::vector<OutputFile> files;
    for (const char* name : {"a", "b", "c"}) files.emplace_back(folder_ / name);
    folder_.write("b", "old");
    EXPECT_THAT(error_of([&] { OutputFile::publish(files); }).what(), StartsWith(folder_ / "b: "));
  });
  EXPECT_EQ(folder_.read("b"), "old");
  EXPECT_EQ(folder_.file_count(), 1);
}

TEST_P(Ways, WhatWasReplacedIsNotTakenAway) {
  folder_.write("a", "old");
  there([&] {
    std::vector<OutputFile> files;
    for (const char* name : {"a", "b"}) files.emplace_back(folder_ / name, Existing::Replace);
    files[0].write_at(0, bytes_of("new"));
    std::filesystem::create_directory(folder_ / "b");
    error_of(ErrorKind::Write, [&] { OutputFile::publish(files); });
  });
  EXPECT_EQ(folder_.read("a"), "new");
  EXPECT_EQ(folder_.file_count(), 2);
}

TEST_P(Ways, Moves) {
  there([&] {
    std::vector<OutputFile> files;
    for (const char* name : {"a", "b", "c"}) {
      files.emplace_back(folder_ / name);
      files.back().write_at(0, bytes_of(name));
    }
    EXPECT_EQ(folder_.file_count(), 3 * unpublished());
    files[1].publish();
  });
  EXPECT_EQ(folder_.file_count(), 1);
  EXPECT_EQ(folder_.read("b"), "b");
}

TEST_P(Ways, WhatIsWrittenCanBeReadBeforeAndAfter) {
  std::shared_ptr<const ByteSource> before, after;
  there([&] {
    OutputFile file(folder_ / "out");
    file.write_at(0, bytes_of("content"));
    before = file.written();
    file.publish();
    after = file.written();
  });
  std::filesystem::remove(folder_ / "out");
  for (const auto& source : {before, after}) {
    EXPECT_EQ(source->name(), folder_ / "out");
    std::string text(source->size(), '\0');
    source->read(0, std::as_writable_bytes(std::span(text)), {});
    EXPECT_EQ(text, "content");
    EXPECT_EQ(source->base() == nullptr, GetParam() == test::Without::Proc);
    source->check_unchanged();
  }
}

TEST_F(OutputFileTest, NameWithoutFolder) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  OutputFile file("out");
  file.publish();
  std::filesystem::current_path(before);
  EXPECT_EQ(folder_.file_count(), 1);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(OutputFileTest, ErrorsNameTheTarget) {
  const auto refused = [](const std::string& path, const char* why) {
    const Error error = error_of([&] { OutputFile file(path); });
    EXPECT_EQ(error.kind(), ErrorKind::Write);
    EXPECT_THAT(error.what(), AllOf(StartsWith(path + ": "), HasSubstr(why)));
  };
  refused(folder_ / "missing/out", "No such file or directory");
  refused(folder_.path(), "is a directory");
  refused("/dev/null", "is a character device");  // no rename replaces it, not even as root
  if (::geteuid() != 0) {
    ::chmod(folder_.path().c_str(), 0500);
    refused(folder_ / "out", "Permission denied");
  }
}

TEST_F(OutputFileTest, FailedWriteNamesTheTarget) {
  OutputFile file(folder_ / "out");
  rlimit kept;
  ::getrlimit(RLIMIT_FSIZE, &kept);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {10, kept.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Error error = error_of([&] { file.write_at(8, bytes_of("0123")); });
  ::setrlimit(RLIMIT_FSIZE, &kept);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(error.kind(), ErrorKind::Write);
  EXPECT_THAT(error.what(), AllOf(StartsWith(folder_ / "out: "), HasSubstr("File too large")));
}

// The test copies from a file in the same folder (within the kernel) and from one in memory (which
// the kernel refuses).
class CopyFrom : public OutputFileTest, public testing::WithParamInterface<bool> {
 protected:
  CopyFrom() {
    const bool in_memory = GetParam();
    source_ = in_memory ? ::memfd_create("source", MFD_CLOEXEC) : open_scratch_file(folder_ / "x");
  }
  ~CopyFrom() override { ::close(source_); }
  int source_;
};

INSTANTIATE_TEST_SUITE_P(Sources, CopyFrom, testing::Bool(),
                         [](const auto& in) { return in.param ? "InMemory" : "Beside"; });

TEST_P(CopyFrom, CopiesTheRange) {
  std::string content(700'000, '\0');
  for (size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7 % 251);
  ASSERT_EQ(::pwrite(source_, content.data(), content.size(), 0), 700'000);
  OutputFile file(folder_ / "out");
  file.write_at(0, bytes_of("head"));
  file.copy_from(source_, 1000, 600'000, 4);
  file.publish();
  EXPECT_EQ(folder_.read("out"), "head" + content.substr(1000, 600'000));
}

TEST_P(CopyFrom, SourceTooShort) {
  ASSERT_EQ(::pwrite(source_, "abc", 3, 0), 3);
  OutputFile file(folder_ / "out");
  const Error error = error_of([&] { file.copy_from(source_, 1, 5, 0); });
  EXPECT_EQ(error.kind(), ErrorKind::Io);
  EXPECT_THAT(error.what(), HasSubstr("3 bytes too early"));
}

TEST_F(OutputFileTest, ScratchFileHasNoName) {
  const int descriptor = open_scratch_file(folder_ / "out");
  EXPECT_EQ(folder_.file_count(), 0);
  EXPECT_EQ(::pwrite(descriptor, "abc", 3, 0), 3);
  char back[3];
  EXPECT_EQ(::pread(descriptor, back, 3, 0), 3);
  EXPECT_EQ(std::string_view(back, 3), "abc");
  EXPECT_NE(::fcntl(descriptor, F_GETFD) & FD_CLOEXEC, 0);
  ::close(descriptor);
  EXPECT_EQ(error_of([&] { open_scratch_file(folder_ / "missing/out"); }).kind(), ErrorKind::Write);
}

}  // namespace
}  // namespace heron
