// Exact sums of floats: rounded once, at the end, so that neither the order of the values nor how
// they are dealt out to parts shows.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "aggregate/state_bytes.h"

namespace heron::inline v0 {

// Any sum of up to 2^40 doubles: digits of 32 bits, from the least that a double has on.
class WideSum {
 public:
  void add(double value);
  void add(const WideSum& other);
  // To the nearest double, ties to even.
  double rounded() const;

  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  static constexpr int kDigits = 68;
  static constexpr uint32_t kMostAdds = 1u << 29;

  void carry();

  std::array<int64_t, kDigits> digits_{};  // each but the last becomes 0 .. 2^32 - 1 by carry()
  uint32_t adds_ = 0;                      // since then
  bool up_ = false, down_ = false, nan_ = false;  // infinities and NaNs seen
};

// Sums of groups: two doubles each, whose sum is exact, and for the few groups whose values are too
// different for that, a WideSum besides.
class ExactSums {
 public:
  void resize(uint64_t groups) { sums_.resize(groups); }
  uint64_t size() const noexcept { return sums_.size(); }
  void add(uint32_t group, double value) {
    Pair& sum = sums_[group];
    double error, lost;
    const double high = two_sum(sum.high, value, error);
    const double low = two_sum(sum.low, error, lost);
    if (lost != 0) return add_wide(group, value);  // so is NaN: what came of infinities
    sum = {high, low};
  }
  void add(uint32_t group, const ExactSums& other, uint32_t of_other);
  double rounded(uint32_t group) const;

  void prefetch(uint32_t group) const noexcept { __builtin_prefetch(&sums_[group], 1); }
  uint64_t bytes() const noexcept {
    return sums_.capacity() * sizeof(Pair) + wide_.size() * 2 * sizeof(WideSum);
  }
  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  struct Pair {
    double high = 0, low = 0;
  };

  // The rounded sum, and exactly what rounding took from it (Knuth).
  static double two_sum(double a, double b, double& error) {
    const double sum = a + b, part = sum - a;
    error = (a - (sum - part)) + (b - part);
    return sum;
  }
  void add_wide(uint32_t group, double value);

  std::vector<Pair> sums_;
  std::map<uint32_t, WideSum> wide_;
};

}  // namespace heron::inline v0
