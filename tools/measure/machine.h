// What machine this is, and what a file lies on: for reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heron::measure {

// Names and values, in the order to print them; what the system does not say is left out.
using Facts = std::vector<std::pair<std::string, std::string>>;

// kernel, architecture, processor, cores, memory_kib, load_of_the_last_minute.
Facts machine_facts();
// file_system, device, and of its queue readahead_kib, rotational, scheduler.
Facts disk_facts(const std::string& path);

}  // namespace heron::measure
