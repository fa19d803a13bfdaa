// Sums floats exactly and rounds once, the plain way (Shewchuk's partials, as math.fsum of Python).
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace heron::inline v0 {

// Returns the sum. No partial sum may exceed float64: no values near its limit.
inline double plain_exact_sum(std::span<const double> values) {
  double infinite = 0;  // the sum once inf, -inf or NaN is among the values
  std::vector<double> partials;
  for (double x : values) {
    if (!std::isfinite(x)) {
      infinite += x;
      continue;
    }
    size_t kept = 0;
    for (double y : partials) {
      if (std::abs(x) < std::abs(y)) std::swap(x, y);
      const double high = x + y, low = y - (high - x);
      if (low != 0) partials[kept++] = low;
      x = high;
    }
    partials.resize(kept);
    partials.push_back(x);
  }
  if (infinite != 0) return infinite;
  double sum = 0, low = 0;
  while (!partials.empty() && low == 0) {
    const double x = sum, y = partials.back();
    partials.pop_back();
    sum = x + y;
    low = y - (sum - x);
  }
  // If the sum is halfway between two doubles, the lower partials decide.
  if (low != 0 && !partials.empty() && (low < 0) == (partials.back() < 0)) {
    const double twice = low * 2, other = sum + twice;
    if (twice == other - sum) sum = other;
  }
  return sum;
}

}  // namespace heron::inline v0
