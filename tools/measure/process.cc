#include "measure/process.h"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace heron::measure {

ProcessCosts ProcessCosts::now() {
  ProcessCosts costs;
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (uint64_t value = 0; counters >> name >> value;) {
    if (name == "rchar:") costs.read_bytes = value;
    if (name == "read_bytes:") costs.device_bytes = value;
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  costs.minor_faults = static_cast<uint64_t>(usage.ru_minflt);
  costs.major_faults = static_cast<uint64_t>(usage.ru_majflt);
  return costs;
}

ProcessCosts ProcessCosts::operator-(const ProcessCosts& before) const {
  return {minor_faults - before.minor_faults, major_faults - before.major_faults,
          device_bytes - before.device_bytes, read_bytes - before.read_bytes};
}

void ProcessCosts::operator+=(const ProcessCosts& other) {
  minor_faults += other.minor_faults;
  major_faults += other.major_faults;
  device_bytes += other.device_bytes;
  read_bytes += other.read_bytes;
}

uint64_t peak_memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) << 10;
  }
  return 0;
}

void reset_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << '5';
}

}  // namespace heron::measure
