#include "measure/process.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string>

#include "measure/clock.h"

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

// Reads the first line of /proc/stat: "cpu user nice system idle iowait irq softirq steal ...".
ProcessorTimes ProcessorTimes::now() {
  ProcessorTimes times;
  std::ifstream stat("/proc/stat");
  std::string name;
  stat >> name;
  double ticks[8] = {};
  for (double& tick : ticks) stat >> tick;
  constexpr int kIdle = 3, kWait = 4;
  for (int i = 0; i < 8; ++i) times.all += i == kIdle || i == kWait ? 0 : ticks[i];
  times.all = stat && name == "cpu" ? times.all / static_cast<double>(::sysconf(_SC_CLK_TCK)) : -1;
  timespec own{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  times.own = static_cast<double>(own.tv_sec) + static_cast<double>(own.tv_nsec) / 1e9;
  times.wall = static_cast<double>(now_ns()) / 1e9;
  return times;
}

std::optional<double> ProcessorTimes::others_since(const ProcessorTimes& before) const {
  const double passed = wall - before.wall;
  if (all < 0 || before.all < 0 || passed < 0.2) return std::nullopt;
  return std::max(0.0, (all - before.all - (own - before.own)) / passed);
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
