// The clock of all measurements.
#pragma once

#include <chrono>
#include <cstdint>

namespace heron::measure {

inline uint64_t now_ns() {
  using namespace std::chrono;
  return static_cast<uint64_t>(
      duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

// Returns the cost of reading the clock twice around nothing: the median of many times.
uint64_t clock_overhead_ns();

}  // namespace heron::measure
