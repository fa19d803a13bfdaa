// How a feature's values become integers (FORMAT section 4), and these values again.
#pragma once

#include <cmath>
#include <cstdint>

namespace heron::inline v0::jforests {

// The integers that values within the range become: 0 .. kLargestScaled.
inline constexpr int32_t kLargestScaled = 32766;

// A scaled value is round((original - min) x factor) or, logarithmic, round(ln(original - min + 1)
// x factor). None of the numbers need be finite, and any will do as a range.
struct Scale {
  double min = 0;
  double max = 0;
  double factor = 0;
  bool logarithmic = false;

  // Both operation by operation as the reference program does it, so that results are its own bit
  // by bit (as far as the machine's log and exp are). NaN becomes 0; what lies outside the range
  // may become any integer.
  int32_t scaled(double value) const {
    const double measure = logarithmic ? std::log(value - min + 1) : value - min;
    const double rounded = std::floor(measure * factor + 0.5);
    if (!(rounded > INT32_MIN)) return rounded != rounded ? 0 : INT32_MIN;
    return rounded < INT32_MAX ? static_cast<int32_t>(rounded) : INT32_MAX;
  }
  double original(int32_t scaled) const {
    const double quotient = scaled / factor;
    return logarithmic ? (std::exp(quotient) + min) - 1 : quotient + min;
  }
  // Whether the factor and the way to scale are those that the range makes, but for what the last
  // bits of one machine's logarithm differ from another's. NaN is NaN.
  bool follows_from_range() const;
  // The most by which original(scaled()) can differ from a value within the range: of any, or of
  // whole numbers. Infinity where nothing may be left of it.
  double most_lost(bool whole) const;
};

// As the reference scales values from `min` to `max`.
Scale scale_for(double min, double max);

// The most by which an integer that lies so far from 0 can differ from the nearest double.
double most_lost_as_double(double magnitude);

}  // namespace heron::inline v0::jforests
