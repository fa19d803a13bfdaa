#include "measure/machine.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::measure {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Returns the text behind the colon of the first line that begins with `name`.
std::string field_of(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == std::string::npos) continue;
    const size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

void add(Facts& facts, std::string name, std::string value) {
  if (!value.empty()) facts.emplace_back(std::move(name), std::move(value));
}

// Adds facts from a device's line in /proc/self/mountinfo: "36 35 98:0 / /mnt rw - ext4 /dev/sda1
// rw".
void add_mount(Facts& facts, const std::string& device) {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id, parent, of, type, source;
    words >> id >> parent >> of;
    const size_t dash = line.find(" - ");
    if (of != device || dash == std::string::npos) continue;
    std::istringstream(line.substr(dash + 3)) >> type >> source;
    add(facts, "file_system", type);
    add(facts, "device", source);
    return;
  }
}

// Returns "mq-deadline" for "none [mq-deadline] kyber".
std::string chosen(const std::string& line) {
  const size_t open = line.find('['), close = line.find(']');
  return open < close && close != std::string::npos ? line.substr(open + 1, close - open - 1)
                                                    : line;
}

}  // namespace

Facts machine_facts() {
  Facts facts;
  utsname system{};
  if (::uname(&system) == 0) {
    add(facts, "kernel", concat(system.sysname, ' ', system.release));
    add(facts, "architecture", system.machine);
  }
  add(facts, "processor", field_of("/proc/cpuinfo", "model name"));
  add(facts, "cores", std::to_string(std::thread::hardware_concurrency()));
  const std::string memory = field_of("/proc/meminfo", "MemTotal");
  add(facts, "memory_kib", memory.substr(0, memory.find(' ')));
  const std::string load = first_line("/proc/loadavg");
  add(facts, "load_of_the_last_minute", load.substr(0, load.find(' ')));
  return facts;
}

Facts disk_facts(const std::string& path) {
  Facts facts;
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return facts;
  const std::string device = concat(major(found.st_dev), ':', minor(found.st_dev));
  add_mount(facts, device);
  // The folder of a partition is inside that of its disk.
  std::error_code ignored;
  std::filesystem::path disk = std::filesystem::canonical("/sys/dev/block/" + device, ignored);
  if (ignored) return facts;
  if (!std::filesystem::exists(disk / "queue", ignored)) disk = disk.parent_path();
  const std::string queue = (disk / "queue").string() + '/';
  add(facts, "readahead_kib", first_line(queue + "read_ahead_kb"));
  add(facts, "rotational", first_line(queue + "rotational"));
  add(facts, "scheduler", chosen(first_line(queue + "scheduler")));
  return facts;
}

}  // namespace heron::measure
