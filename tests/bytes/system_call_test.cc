#include "bytes/system_call.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "temp_folder.h"

namespace heron {
namespace {

TEST(SystemCall, IsMadeAgainAsLongAsSignalsInterruptIt) {
  int calls = 0;
  const int result = uninterrupted([&] {
    errno = EINTR;
    return ++calls < 4 ? -1 : 7;
  });
  EXPECT_EQ(result, 7);
  EXPECT_EQ(calls, 4);
}

TEST(SystemCall, OtherErrorsAreTheAnswer) {
  int calls = 0;
  const int result = uninterrupted([&] {
    errno = EIO;
    ++calls;
    return -1;
  });
  EXPECT_EQ(result, -1);
  EXPECT_EQ(errno, EIO);
  EXPECT_EQ(calls, 1);
}

TEST(SystemCall, FewerBytesSayWhy) {
  test::TempFolder folder;
  const int file = ::open((folder / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const std::string text = "0123456789";
  EXPECT_EQ(write_all(file, std::as_bytes(std::span(text))), 10u);
  EXPECT_EQ(write_all(file, std::as_bytes(std::span(text)), 5), 10u);
  std::string back(20, 'x');
  EXPECT_EQ(read_all(file, std::as_writable_bytes(std::span(back)), 2), 13u);
  EXPECT_EQ(errno, 0);
  EXPECT_EQ(back, "2340123456789xxxxxxx");
  ::close(file);
  EXPECT_EQ(read_all(file, std::as_writable_bytes(std::span(back)), 0), 0u);
  EXPECT_EQ(errno, EBADF);
}

// A pipe takes and gives as many bytes as fit.
TEST(SystemCall, GoesOnWhereLessWasMoved) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const std::string text(1 << 20, 'a');
  const uint64_t put = write_all(ends[1], std::as_bytes(std::span(text)));
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_GT(put, 0u);
  EXPECT_LT(put, text.size());
  for (const int end : ends) ::close(end);
}

}  // namespace
}  // namespace heron
