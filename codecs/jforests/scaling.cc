#include "jforests/scaling.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace heron::inline v0::jforests {
namespace {

constexpr double kAllIntegersUpTo = 9007199254740992;  // 2^53

bool is_whole(double value) {
  return std::abs(value) <= kAllIntegersUpTo && value == std::floor(value);
}

// Returns how far a value can be at most from a multiple of a step. Whole numbers range / d apart
// are multiples, d being the greatest common divisor of the range and the steps, so others are at
// most half of that away from the nearest.
double most_steps_off(const Scale& scale, bool whole) {
  if (!whole || !is_whole(scale.min) || !is_whole(scale.max)) return 0.5;
  const auto range = static_cast<int32_t>(scale.max - scale.min);
  const int32_t apart = range / std::gcd(range, kLargestScaled);
  return static_cast<double>(apart / 2) / apart;
}

}  // namespace

Scale scale_for(double min, double max) {
  const bool logarithmic = !(max - min < kLargestScaled);
  return {min, max, kLargestScaled / (logarithmic ? std::log(max - min + 1) : max - min),
          logarithmic};
}

bool Scale::follows_from_range() const {
  constexpr double kLogarithms = 1e-12;  // all known files agree bit by bit
  const Scale made = scale_for(min, max);
  if (made.logarithmic != logarithmic) return false;
  if (made.factor == factor) return true;
  if (std::isnan(made.factor)) return std::isnan(factor);
  return std::abs(made.factor - factor) <= kLogarithms * std::abs(made.factor) &&
         std::isfinite(factor);
}

// The result includes the last bits of intermediate results, which matter for values close to each
// other but far from 0.
double Scale::most_lost(bool whole) const {
  constexpr double kLastBits = 16 * std::numeric_limits<double>::epsilon();
  if (min > max) return 0;  // the feature has no values
  if (!std::isfinite(original(kLargestScaled))) return std::numeric_limits<double>::infinity();
  const double range = max - min;
  if (std::isinf(factor)) return range;  // the range is 0, or so small that all values scale to one
  const double last_bits = kLastBits * std::max(std::abs(min), std::abs(max));
  if (logarithmic) return (range + 1) * -std::expm1(-0.5 / factor) * (1 + 1e-9) + last_bits;
  const double steps = most_steps_off(*this, whole);
  return steps == 0 ? 0 : steps / factor + last_bits;
}

double most_lost_as_double(double magnitude) {
  if (!(magnitude > kAllIntegersUpTo)) return 0;
  return (std::nextafter(magnitude, std::numeric_limits<double>::infinity()) - magnitude) / 2;
}

}  // namespace heron::inline v0::jforests
