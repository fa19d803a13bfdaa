// Describes the machine and the device of a file, for reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heron::measure {

// Names and values, in the order to print them; facts that the system does not report are left out.
using Facts = std::vector<std::pair<std::string, std::string>>;

// Returns kernel, architecture, processor, cores, memory_kib, load_of_the_last_minute.
Facts machine_facts();
// Returns file_system, device, and of the device's queue readahead_kib, rotational, scheduler.
Facts disk_facts(const std::string& path);

}  // namespace heron::measure
