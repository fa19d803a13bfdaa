// The float64 numbers that are not finite.
#pragma once

#include <limits>

namespace heron::inline v0 {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace heron::inline v0
