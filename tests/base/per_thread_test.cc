#include "base/per_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace heron {
namespace {

std::atomic<int> g_alive{0};

struct Counted {
  Counted() { ++g_alive; }
  ~Counted() { --g_alive; }
  int value = 0;
};

TEST(PerThread, EachThreadHasItsOwnUntilItEnds) {
  static PerThread<Counted> counted;
  counted.get().value = 1;
  EXPECT_EQ(&counted.get(), &counted.get());
  EXPECT_EQ(g_alive, 1);
  std::thread([] {
    EXPECT_EQ(counted.get().value, 0);
    counted.get().value = 2;
    EXPECT_EQ(counted.get().value, 2);
    EXPECT_EQ(g_alive, 2);
  }).join();
  EXPECT_EQ(g_alive, 1);
  EXPECT_EQ(counted.get().value, 1);
}

}  // namespace
}  // namespace heron
