// What this process has cost so far, as the system counts it.
#pragma once

#include <cstdint>

namespace heron::measure {

struct ProcessCosts {
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;  // it waited for a page
  uint64_t device_bytes = 0;  // read from devices for it
  uint64_t read_bytes = 0;    // that its calls of read() returned

  static ProcessCosts now();
  ProcessCosts operator-(const ProcessCosts& before) const;
  void operator+=(const ProcessCosts& other);
};

// The most memory it held since the last reset, pages of mapped files included; 0: not known.
uint64_t peak_memory_bytes();
// Where the system allows it; else the peak is that since the start.
void reset_peak_memory();

}  // namespace heron::measure
