// The memory that this process may use.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

// Returns the bytes of the machine's memory, or the limit of its control group if that is lower; 0
// if unknown. Reads them once. Any thread may call.
uint64_t machine_memory() noexcept;

}  // namespace heron::inline v0
