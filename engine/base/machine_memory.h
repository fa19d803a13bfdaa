// How much memory there is for this process.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

// The bytes of the machine's memory, or of its control group's if that has less; 0: unknown. Reads
// them once. Any thread may call.
uint64_t machine_memory() noexcept;

}  // namespace heron::inline v0
