#include "heron/context.h"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "error_of.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

TEST(MemoryBudget, RefusesWhatIsTooMuchAndTakesNothing) {
  MemoryBudget budget(100);
  budget.acquire(60);
  const Error error = error_of([&] { budget.acquire(41); });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_THAT(error.what(), HasSubstr("memory budget of 100 bytes"));
  EXPECT_THAT(error.what(), HasSubstr("60"));
  EXPECT_THAT(error.what(), HasSubstr("41"));
  EXPECT_EQ(budget.used(), 60u);
  budget.acquire(40);
  budget.release(100);
  EXPECT_EQ(budget.used(), 0u);
}

TEST(MemoryBudget, SumsThatWrapAreRefused) {
  MemoryBudget budget(UINT64_MAX - 1);
  budget.acquire(10);
  EXPECT_EQ(error_of([&] { budget.acquire(UINT64_MAX - 5); }).kind(), ErrorKind::Limit);
  EXPECT_EQ(budget.used(), 10u);
}

TEST(MemoryBudget, ThreadsNeverHoldMoreThanTheLimit) {
  MemoryBudget budget(3);
  std::atomic<int> held{0};
  std::atomic<bool> exceeded{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        try {
          budget.acquire(2);
        } catch (const Error&) {
          continue;
        }
        if (held.fetch_add(1) != 0) exceeded = true;
        held.fetch_sub(1);
        budget.release(2);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(exceeded);
  EXPECT_EQ(budget.used(), 0u);
}

TEST(Context, EndsTheCallThatWasCancelled) {
  std::atomic<bool> cancel{false};
  uint64_t reported = 0;
  Context context;
  context.cancel = &cancel;
  context.progress = [&](uint64_t done, uint64_t) { reported = done; };
  context.step(7, 10);
  cancel = true;
  EXPECT_EQ(error_of([&] { context.step(8, 10); }).kind(), ErrorKind::Cancelled);
  EXPECT_EQ(reported, 7u);
  EXPECT_NO_THROW(Context{}.check_cancelled());
}

}  // namespace
}  // namespace heron
