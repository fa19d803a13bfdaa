// What becomes of values on their way into a file, counted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/int128.h"

namespace heron::inline v0::jforests {

struct Loss {
  uint64_t changed = 0;  // rows
  double largest = 0;    // difference; infinity where a number is none any more

  // NaN is a value that is null, and read back as another one.
  void add(double given, double read) {
    if (given != read) ++changed;
    const double difference = std::abs(given - read);
    if (difference <= largest || given != given) return;
    largest = difference == difference ? difference : std::numeric_limits<double>::infinity();
  }

  // An integer that becomes the nearest double.
  template <class Integer>
  void add_integer(Integer given) {
    const Int128 moved = static_cast<Int128>(static_cast<double>(given)) - given;
    if (moved == 0) return;
    ++changed;
    largest = std::max(largest, std::abs(static_cast<double>(moved)));
  }

  // Of the same rows on a further way, on which most of those change that did before.
  void add(const Loss& further) {
    changed = std::max(changed, further.changed);
    largest += further.largest;
  }
};

}  // namespace heron::inline v0::jforests
