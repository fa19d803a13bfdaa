#include "measure/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace heron::measure {
namespace {

constexpr double kFloor = 0.05;

// Returns turns of a machine that is sometimes slower for several turns.
std::vector<double> turns(double median, std::mt19937_64& random) {
  std::normal_distribution<double> jitter(0, 0.01);
  std::vector<double> all;
  double slow = 0;
  for (int i = 0; i < 20; ++i) {
    slow = random() % 8 == 0 ? 0.1 : slow * 0.6;
    all.push_back(median * (1 + slow + std::abs(jitter(random))));
  }
  return all;
}

TEST(Noise, AMedianIsTheMiddle) {
  EXPECT_EQ(median(std::vector<double>{3}), 3);
  EXPECT_EQ(median(std::vector<double>{5, 1, 3}), 3);
  EXPECT_EQ(median(std::vector<double>{5, 1, 3, 4}), 3.5);
}

TEST(Noise, TwoRunsOfTheSameAreTheSame) {
  std::mt19937_64 random(7);
  int beyond = 0;
  for (int i = 0; i < 200; ++i) {
    const auto now = turns(1000, random), before = turns(1000, random);
    beyond += ratio_interval(now, before, false).is_beyond(kFloor);
    beyond += ratio_interval(now, before, true).is_beyond(kFloor);
  }
  EXPECT_LE(beyond, 4);
}

TEST(Noise, WhatIsSlowerByAFifthIsSlower) {
  std::mt19937_64 random(7);
  int found = 0;
  for (int i = 0; i < 100; ++i) {
    const RatioInterval ratio = ratio_interval(turns(1250, random), turns(1000, random), false);
    EXPECT_LE(ratio.low, ratio.ratio);
    EXPECT_GE(ratio.high, ratio.ratio);
    EXPECT_NEAR(ratio.ratio, 1.25, 0.15);
    found += ratio.low > 1 + kFloor;
  }
  EXPECT_GE(found, 95);
}

TEST(Noise, OneTurnSaysWhatItSays) {
  const std::vector<double> one = {2}, other = {1};
  const RatioInterval ratio = ratio_interval(one, other, true);
  EXPECT_EQ(ratio.ratio, 2);
  EXPECT_EQ(ratio.low, 2);
  EXPECT_EQ(ratio.high, 2);
}

}  // namespace
}  // namespace heron::measure
