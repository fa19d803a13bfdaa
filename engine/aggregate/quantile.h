// Exact quantiles of values in memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "aggregate/running_values.h"

namespace heron::inline v0 {

// Interpolated is for integers and floats (as in NumPy's default and quantile_cont): of n ordered
// values, numbered from 0, the value at q x (n - 1), interpolated between its neighbours. OfValues
// is for dates, times and durations: the least value that at least q of the values do not exceed
// (quantile_disc).
enum class QuantileKind : uint8_t { Interpolated, OfValues };

// Values of a quantile's saved state, none of which is NaN: it would break the order of the others.
template <class T>
std::vector<T> take_numbers(StateReader& from) {
  std::vector<T> values = from.take_all<T>();
  for (const T value : values) {
    if (value != value) StateReader::fail_damaged();
  }
  return values;
}

// Reorders the values, none of which is NaN. Null if there are none.
template <class T>
Scalar quantile_of(std::span<T> values, double q, QuantileKind kind) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  const auto nth = [&](double place) {
    const auto at = std::min(static_cast<uint64_t>(place), values.size() - 1);
    std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(at), values.end());
    return at;
  };
  if (kind == QuantileKind::OfValues) {
    // q x n is subtracted, not rounded up, so that the rounding of q does not count.
    const double place = std::max(0.0, count - std::floor(count - q * count) - 1);
    return owned(number_scalar(values[nth(place)]));
  }
  const double place = q * (count - 1);
  const uint64_t at = nth(std::floor(place));
  const auto low = static_cast<double>(values[at]);
  const double part = place - static_cast<double>(at);
  if (part <= 0 || at + 1 == values.size()) return low + 0.0;
  const auto high = static_cast<double>(
      *std::min_element(values.begin() + static_cast<ptrdiff_t>(at) + 1, values.end()));
  return (low == high ? low : std::lerp(low, high, part)) + 0.0;
}

}  // namespace heron::inline v0
