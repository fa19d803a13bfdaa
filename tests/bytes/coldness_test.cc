#include "bytes/coldness.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace heron {
namespace {

using std::chrono::milliseconds;

TEST(Coldness, WarmUntilTheNextTick) {
  Coldness state;
  EXPECT_TRUE(state.may_be_cold());
  EXPECT_FALSE(state.sampled(false));
  std::this_thread::sleep_for(milliseconds(30));
  EXPECT_TRUE(state.may_be_cold());
}

TEST(Coldness, WarmSamplesAreDoubtedAfterAColdOne) {
  Coldness state;
  EXPECT_TRUE(state.sampled(true));
  int doubts = 0;
  while (state.sampled(false)) ++doubts;
  EXPECT_EQ(doubts, 8);
  EXPECT_TRUE(state.sampled(true));
  EXPECT_TRUE(state.sampled(false));
}

}  // namespace
}  // namespace heron
