// Work that goes on while its caller does something else.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/parallel.h"
#include "error_of.h"
#include "heron/error.h"
#include "kit/on_threads.h"

namespace heron {
namespace {

constexpr uint64_t kItems = 100;

TEST(WorkAheadThreads, EachItemIsDoneOnce) {
  for (const unsigned threads : {1U, 2U, 0U}) {
    for (int round = 0; round < 200; ++round) {
      std::vector<int> done(kItems);
      WorkAhead ahead;
      ahead.start(kItems, on_threads(threads), [&](uint64_t i, const Context& context) {
        EXPECT_EQ(context.threads, 1);
        ++done[i];
      });
      ahead.join();
      EXPECT_EQ(done, std::vector<int>(kItems, 1));
      ahead.join();  // nothing
    }
  }
}

TEST(WorkAheadThreads, OthersBeginBeforeTheJoin) {
  if (thread_count(on_threads(2)) < 2) GTEST_SKIP() << "one processor";
  std::atomic<bool> begun = false;
  WorkAhead ahead;
  ahead.start(1, on_threads(2), [&](uint64_t, const Context&) { begun = true; });
  for (int i = 0; i < 2000 && !begun; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(begun);
}

TEST(WorkAheadThreads, TheErrorIsThatOfTheSmallestItem) {
  for (int round = 0; round < 100; ++round) {
    WorkAhead ahead;
    ahead.start(kItems, on_threads(0), [](uint64_t i, const Context&) {
      if (i >= 7) fail(ErrorKind::Argument, {}, "item ", i, ".");
    });
    const Error error = test::error_of([&] { ahead.join(); });
    EXPECT_NE(std::string(error.what()).find("item 7."), std::string::npos) << error.what();
  }
}

TEST(WorkAheadThreads, EndsBeforeItIsGone) {
  std::atomic<int> at_work = 0, begun = 0;
  for (int round = 0; round < 100; ++round) {
    {
      WorkAhead ahead;
      ahead.start(kItems, on_threads(0), [&](uint64_t, const Context&) {
        ++begun;
        ++at_work;
        std::this_thread::yield();
        --at_work;
      });
    }
    EXPECT_EQ(at_work, 0);
    const int before = begun;
    std::this_thread::yield();
    EXPECT_EQ(begun, before);
  }
}

TEST(WorkAhead, EndsWithAnErrorInAForkedChild) {
  WorkAhead ahead;
  ahead.start(kItems, on_threads(0), [](uint64_t, const Context&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(30);
    const Error error = test::error_of([&] { ahead.join(); });
    ::_exit(std::string_view(error.what()).find("fork()") != std::string_view::npos ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ahead.join();
}

}  // namespace
}  // namespace heron
