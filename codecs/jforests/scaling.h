// How a feature's values become integers (FORMAT section 4).
#pragma once

#include <cstdint>

namespace heron::inline v0::jforests {

// The integers that values within the range become: 0 .. kLargestScaled.
inline constexpr int32_t kLargestScaled = 32766;

struct Scaling {
  // Any range will do, also an empty or a non-finite one.
  Scaling(double min, double max);

  // NaN becomes 0; what lies outside the range may become any integer.
  int32_t scaled(double value) const;

  double min;
  double max;
  bool log;
  double factor;
};

}  // namespace heron::inline v0::jforests
