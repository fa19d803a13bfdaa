// The steps and their order are the reference's: another one gives another last bit.
#include "jforests/scaling.h"

#include <cmath>

namespace heron::inline v0::jforests {

Scaling::Scaling(double least, double most)
    : min(least),
      max(most),
      log(!(most - least < kLargestScaled)),
      factor(kLargestScaled / (log ? std::log(most - least + 1) : most - least)) {}

int32_t Scaling::scaled(double value) const {
  const double measure = log ? std::log(value - min + 1) : value - min;
  const double rounded = std::floor(measure * factor + 0.5);
  if (!(rounded > INT32_MIN)) return rounded != rounded ? 0 : INT32_MIN;
  return rounded < INT32_MAX ? static_cast<int32_t>(rounded) : INT32_MAX;
}

}  // namespace heron::inline v0::jforests
