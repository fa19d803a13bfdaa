#include "bytes/page_requests.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

#include "bytes/byte_ranges.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr int kCannotBlock = 77;
constexpr uint64_t kRequestedBytes = uint64_t{4} << 20;

class PageRequests : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    std::ofstream(path_) << std::string(kRequestedBytes, 'x');
    file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(file_, 0);
    ::fsync(file_);
    ::posix_fadvise(file_, 0, 0, POSIX_FADV_DONTNEED);
    if (in_memory(kPageBytes * 8))
      GTEST_SKIP() << "this file system does not drop pages on request";
  }
  void TearDown() override { ::close(file_); }

  // Returns whether the page is in memory; may begin to read it, and at the start of a file some
  // more.
  bool in_memory(uint64_t offset) const {
    char byte;
    const iovec into = {&byte, 1};
    return ::preadv2(file_, &into, 1, static_cast<off_t>(offset), RWF_NOWAIT) == 1;
  }
  // Returns whether the page gets into memory within some seconds.
  bool arrives(uint64_t offset) const {
    for (int tries = 0; tries < 5'000 && !in_memory(offset); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return in_memory(offset);
  }

  const test::TempFolder folder_;
  const std::string path_ = folder_ / "requested.bin";
  int file_ = -1;
};

INSTANTIATE_TEST_SUITE_P(Ways, PageRequests, testing::Bool(),
                         [](const auto& way) { return way.param ? "Far" : "Near"; });

TEST_P(PageRequests, BringInOnlyRequestedPages) {
  const ByteRange range{kRequestedBytes / 4, kRequestedBytes / 2};
  ASSERT_TRUE(request_pages(file_, {&range, 1}, GetParam()));
  EXPECT_TRUE(arrives(range.offset));
  EXPECT_TRUE(arrives(range.end() - 1));
  EXPECT_FALSE(in_memory(kRequestedBytes / 8));
  EXPECT_FALSE(in_memory(kRequestedBytes / 8 * 7));
}

// A child process has no ring of its own, and leaves its parent's alone.
TEST_P(PageRequests, AreMadeInAChildProcessToo) {
  const ByteRange halves[] = {{0, kRequestedBytes / 2}, {kRequestedBytes / 2, kRequestedBytes / 2}};
  has_ring();
  const pid_t child = ::fork();
  if (child == 0) {
    const bool requested = request_pages(file_, {&halves[0], 1}, GetParam());
    ::_exit(requested && !has_ring() && arrives(0) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_TRUE(request_pages(file_, {&halves[1], 1}, GetParam()));
  EXPECT_TRUE(arrives(kRequestedBytes - 1));
}

// Runs these tests again in a process for which io_uring is blocked, as in most containers.
TEST(PageRequestsBlocked, AreMadeByTheCaller) {
  if (::getenv("HERON_TEST_BLOCKED") != nullptr) {
    EXPECT_FALSE(has_ring());
    return;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program = {std::size(code), code};
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) ::_exit(kCannotBlock);
    ::setenv("HERON_TEST_BLOCKED", "1", 1);
    ::execl("/proc/self/exe", "heron_tests", "--gtest_brief=1", "--gtest_filter=*PageRequests*",
            nullptr);
    ::_exit(kCannotBlock);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kCannotBlock) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
}

TEST(PageRequestsFailed, AreNoError) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::vector<ByteRange> many(1'000, {0, kRequestedBytes});
  for (int i = 0; i < 3; ++i) request_pages(ends[0], many, true);
  EXPECT_FALSE(request_pages(ends[0], many, false));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace heron
