// Decides whether two measurements differ by more than chance. Each is a list of medians, one per
// turn.
#pragma once

#include <span>

namespace heron::measure {

// A ratio, and the interval that would contain it in 99 of 100 such measurements.
struct RatioInterval {
  double ratio = 1;
  double low = 1;
  double high = 1;

  bool is_beyond(double floor) const { return low > 1 + floor || high < 1 / (1 + floor); }
};

// Returns the median of `values`, which must not be empty.
double median(std::span<const double> values);

// Returns median(values) / median(reference), with an interval by bootstrap: turns are drawn again
// in runs of neighbours, because a disturbance of a machine lasts for more than a turn. `paired`:
// turn i of both was measured at the same time, so both draw the same turns. Neither may be empty.
RatioInterval ratio_interval(std::span<const double> values, std::span<const double> reference,
                             bool paired);

}  // namespace heron::measure
