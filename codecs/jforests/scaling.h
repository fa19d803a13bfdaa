// Scales a feature's values to integers (FORMAT section 4), and back.
#pragma once

#include <cmath>
#include <cstdint>

namespace heron::inline v0::jforests {

// Values inside the range scale to 0 .. kLargestScaled.
inline constexpr int32_t kLargestScaled = 32766;

// A scaled value is round((original - min) x factor) or, logarithmic, round(ln(original - min + 1)
// x factor). The numbers may be infinite or NaN, and any pair is allowed as a range.
struct Scale {
  double min = 0;
  double max = 0;
  double factor = 0;
  bool logarithmic = false;

  // scaled() and original() compute in the same steps as the reference program, so that results are
  // equal bit by bit (as far as log and exp of the machine are). NaN becomes 0; a value outside the
  // range may become any integer.
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
  // Returns whether the factor and the kind of scale follow from the range, except for the last
  // bits of a logarithm, which differ between machines. NaN equals NaN.
  bool follows_from_range() const;
  // Returns the largest difference of original(scaled()) from a value inside the range: any value,
  // or whole numbers. Infinity if the value may be lost.
  double most_lost(bool whole) const;
};

// Returns the scale that the reference uses for values from `min` to `max`.
Scale scale_for(double min, double max);

// Returns the largest difference of an integer of this magnitude from the nearest double.
double most_lost_as_double(double magnitude);

}  // namespace heron::inline v0::jforests
