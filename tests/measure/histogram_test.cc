#include "measure/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace heron::measure {
namespace {

uint64_t exact_quantile(std::vector<uint64_t> values, double q) {
  std::sort(values.begin(), values.end());
  const auto index = static_cast<size_t>(std::ceil(q * static_cast<double>(values.size())));
  return values[std::max<size_t>(index, 1) - 1];
}

TEST(Histogram, IsEmptyAtFirst) {
  const Histogram none;
  EXPECT_EQ(none.count(), 0U);
  EXPECT_EQ(none.quantile(0.5), 0U);
  EXPECT_TRUE(none.buckets(4).empty());
}

TEST(Histogram, AKnownDelayShowsInThePercentiles) {
  Histogram times;
  times.add(1'000'000, 980);  // 1 ms
  times.add(50'000'000, 20);  // a delay of 50 ms, 1 in 50
  EXPECT_NEAR(static_cast<double>(times.quantile(0.5)), 1e6, 1e4);
  EXPECT_NEAR(static_cast<double>(times.quantile(0.98)), 1e6, 1e4);
  EXPECT_NEAR(static_cast<double>(times.quantile(0.99)), 50e6, 5e5);
  EXPECT_NEAR(static_cast<double>(times.quantile(0.999)), 50e6, 5e5);
  EXPECT_EQ(times.max(), 50'000'000U);
  EXPECT_NEAR(times.mean(), 1.98e6, 1);
}

TEST(Histogram, QuantilesAreThoseOfTheValues) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> latencies(8, 2);
  Histogram times;
  std::vector<uint64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<uint64_t>(latencies(random)));
    times.add(values.back());
  }
  for (const double q : {0.0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto exact = static_cast<double>(exact_quantile(values, q));
    EXPECT_NEAR(static_cast<double>(times.quantile(q)), exact, exact / 128 + 1) << q;
  }
  EXPECT_EQ(times.quantile(1), times.max());
}

TEST(Histogram, APercentileNeedsASampleAbove) {
  for (const auto& [q, least] : {std::pair{0.5, 2}, {0.9, 10}, {0.99, 100}, {0.999, 1000}}) {
    Histogram times;
    times.add(5, static_cast<uint64_t>(least) - 1);
    EXPECT_FALSE(times.has_quantile(q)) << q;
    times.add(5);
    EXPECT_TRUE(times.has_quantile(q)) << q;
  }
}

TEST(Histogram, BucketsHoldEachValueOnce) {
  std::mt19937_64 random(7);
  Histogram times;
  std::vector<uint64_t> values;
  for (int i = 0; i < 5'000; ++i) {
    values.push_back(random() >> (random() % 60 + 4));
    times.add(values.back());
  }
  for (const unsigned bits : {7U, 4U, 1U}) {
    uint64_t start = 0, all = 0;
    for (const Histogram::Bucket& bucket : times.buckets(bits)) {
      const auto inside = std::count_if(values.begin(), values.end(), [&](uint64_t value) {
        value = std::min(value, Histogram::kMaximum);
        return value >= start && value < bucket.end;
      });
      EXPECT_EQ(bucket.count, static_cast<uint64_t>(inside)) << bits << ' ' << bucket.end;
      start = bucket.end;
      all += bucket.count;
    }
    EXPECT_EQ(all, times.count());
  }
}

TEST(Histogram, TwoAddUp) {
  Histogram a, b, both;
  for (uint64_t value = 1; value < 3'000; value += 7) {
    (value % 2 == 0 ? a : b).add(value);
    both.add(value);
  }
  a.add(b);
  EXPECT_EQ(a.count(), both.count());
  EXPECT_EQ(a.min(), both.min());
  EXPECT_EQ(a.max(), both.max());
  EXPECT_EQ(a.quantile(0.9), both.quantile(0.9));
  a.clear();
  EXPECT_EQ(a.count(), 0U);
}

TEST(Histogram, WhatTakesHoursIsCountedAsTheMost) {
  Histogram times;
  times.add(UINT64_MAX);
  EXPECT_EQ(times.max(), Histogram::kMaximum);
  EXPECT_EQ(times.quantile(0.5), Histogram::kMaximum);
}

}  // namespace
}  // namespace heron::measure
