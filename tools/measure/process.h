// The costs of this process so far, as the system counts them.
#pragma once

#include <cstdint>
#include <optional>

namespace heron::measure {

struct ProcessCosts {
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;  // faults that waited for a page
  uint64_t device_bytes = 0;  // bytes read from devices for this process
  uint64_t read_bytes = 0;    // bytes that its calls of read() returned

  static ProcessCosts now();
  ProcessCosts operator-(const ProcessCosts& before) const;
  void operator+=(const ProcessCosts& other);
};

// Seconds in which the machine's processors worked, added up.
struct ProcessorTimes {
  double all = 0;   // work for all processes, including time that a host took for others
  double own = 0;   // work for this process
  double wall = 0;  // elapsed seconds

  static ProcessorTimes now();
  // Returns how many processors other processes kept busy since `before`, on average. Returns
  // nullopt if unknown, also for less than a fifth of a second, as the system counts hundredths.
  std::optional<double> others_since(const ProcessorTimes& before) const;
};

// Returns the peak memory of this process since the last reset, pages of mapped files included; 0:
// unknown.
uint64_t peak_memory_bytes();
// Resets the peak if the system allows it; otherwise the peak stays that since the start.
void reset_peak_memory();

}  // namespace heron::measure
