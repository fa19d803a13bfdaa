// Threads work in order, ahead of the caller.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "base/fail.h"
#include "base/parallel.h"
#include "error_of.h"
#include "heron/error.h"
#include "kit/on_threads.h"

namespace heron {
namespace {

constexpr uint64_t kItems = 100;

void sleep_a_millisecond() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Ends the child with 0 if `call` returns true.
void expect_in_child(const std::function<bool()>& call) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(30);
    ::_exit(call() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

bool others_begin() {
  std::atomic<bool> begun = false;
  WorkAhead ahead(on_threads(2));
  for (int i = 0; i < 2; ++i) ahead.add({[&](const Context&) { begun = true; }});
  for (int i = 0; i < 2000 && !begun; ++i) sleep_a_millisecond();
  return begun;
}

TEST(WorkAheadThreads, EachItemIsDoneOnceAndTakenInOrder) {
  for (const unsigned threads : {1U, 2U, 0U}) {
    for (const uint64_t group : {1U, 3U, 100U}) {
      for (int round = 0; round < 50; ++round) {
        std::vector<int> done(kItems);
        WorkAhead ahead(on_threads(threads));
        for (uint64_t added = 0; added < kItems;) {
          std::vector<WorkAhead::Item> items;
          for (; items.size() < group && added < kItems; ++added) {
            items.emplace_back([&, i = added](const Context& context) {
              EXPECT_EQ(context.threads, 1);
              ++done[i];
            });
          }
          ahead.add(std::move(items));
        }
        for (uint64_t i = 0; i < kItems; ++i) {
          ahead.take();
          EXPECT_EQ(done[i], 1);
        }
      }
    }
  }
}

TEST(WorkAhead, OthersBeginBeforeTheFirstIsTakenInAForkedChildAsWell) {
  if (thread_count(on_threads(2)) < 2) GTEST_SKIP() << "one processor";
  EXPECT_TRUE(others_begin());
  expect_in_child(others_begin);
}

// The caller's last batch may be in use while the next ones are added.
TEST(WorkAheadThreads, AddingWhileOthersWork) {
  WorkAhead ahead(on_threads(0));
  std::vector<int> done(1000);
  for (uint64_t i = 0; i < done.size() + 7; ++i) {
    if (i < done.size()) ahead.add({[&done, i](const Context&) { ++done[i]; }});
    if (i < 7) continue;
    ahead.take();
    EXPECT_EQ(done[i - 7], 1);
  }
}

TEST(WorkAheadThreads, AnErrorIsThatOfItsItem) {
  for (int round = 0; round < 100; ++round) {
    WorkAhead ahead(on_threads(0));
    for (uint64_t i = 0; i < kItems; ++i) {
      ahead.add({[i](const Context&) {
        if (i % 10 == 7) fail(ErrorKind::Argument, {}, "item ", i, ".");
      }});
    }
    for (uint64_t i = 0; i < 28; ++i) {
      if (i % 10 != 7) {
        ahead.take();
        continue;
      }
      const Error error = test::error_of([&] { ahead.take(); });
      EXPECT_NE(std::string(error.what()).find("item " + std::to_string(i) + "."),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(WorkAheadThreads, EndsBeforeItIsGone) {
  std::atomic<int> at_work = 0, begun = 0;
  for (int round = 0; round < 100; ++round) {
    {
      WorkAhead ahead(on_threads(0));
      for (uint64_t i = 0; i < kItems; ++i) {
        ahead.add({[&](const Context&) {
          ++begun;
          ++at_work;
          std::this_thread::yield();
          --at_work;
        }});
      }
    }
    EXPECT_EQ(at_work, 0);
    const int before = begun;
    std::this_thread::yield();
    EXPECT_EQ(begun, before);
  }
}

TEST(WorkAheadThreads, StopsWhenCancelled) {
  std::atomic<bool> cancel = true;
  Context context = on_threads(2);
  context.cancel = &cancel;
  WorkAhead ahead(context);
  ahead.add({[](const Context&) { ADD_FAILURE() << "went on"; }});
  test::error_of(ErrorKind::Cancelled, [&] { ahead.take(); });
}

TEST(WorkAhead, EndsWithAnErrorInAForkedChild) {
  if (thread_count(on_threads(0)) < 2) GTEST_SKIP() << "one processor";
  WorkAhead ahead(on_threads(0));
  for (uint64_t i = 0; i < kItems; ++i) ahead.add({[](const Context&) { sleep_a_millisecond(); }});
  expect_in_child([&] {
    const Error error = test::error_of([&] { ahead.take(); });
    return std::string_view(error.what()).find("fork()") != std::string_view::npos;
  });
  for (uint64_t i = 0; i < kItems; ++i) ahead.take();
}

}  // namespace
}  // namespace heron
