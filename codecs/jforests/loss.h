// Counts the changes of values written to a file.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/int128.h"

namespace heron::inline v0::jforests {

struct Loss {
  uint64_t changed = 0;  // number of changed rows
  double largest = 0;    // largest change of a value; infinity if a number is lost

  // Adds the change of one value. A NaN counts as null, which is read back as another value.
  void add(double given, double read) {
    if (given != read) ++changed;
    const double difference = std::abs(given - read);
    if (difference <= largest || given != given) return;
    largest = difference == difference ? difference : std::numeric_limits<double>::infinity();
  }

  // Adds the change of an integer converted to the nearest double.
  template <class Integer>
  void add_integer(Integer given) {
    const Int128 moved = static_cast<Int128>(static_cast<double>(given)) - given;
    if (moved == 0) return;
    ++changed;
    largest = std::max(largest, std::abs(static_cast<double>(moved)));
  }

  // Adds the loss of a further step on the same rows, most of which have changed before.
  void add(const Loss& further) {
    changed = std::max(changed, further.changed);
    largest += further.largest;
  }
};

}  // namespace heron::inline v0::jforests
