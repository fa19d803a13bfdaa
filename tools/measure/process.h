// What this process has cost so far, as the system counts it.
#pragma once

#include <cstdint>
#include <optional>

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

// Seconds in which the machine's processors worked, in all.
struct ProcessorTimes {
  double all = 0;   // for whomever, those that a host took for others included
  double own = 0;   // for this process
  double wall = 0;  // of the clock

  static ProcessorTimes now();
  // How many processors other processes kept busy since then, on average. Nullopt: not known, also
  // for less than a fifth of a second, as the system counts hundredths.
  std::optional<double> others_since(const ProcessorTimes& before) const;
};

// The most memory it held since the last reset, pages of mapped files included; 0: not known.
uint64_t peak_memory_bytes();
// Where the system allows it; else the peak is that since the start.
void reset_peak_memory();

}  // namespace heron::measure
