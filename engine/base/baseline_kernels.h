// Chooses the kernels of cpu.h within a process, so that tests compare their results.
#pragma once

namespace heron::inline v0 {

// From now on, kernels run as compiled for any x86-64, or again as the machine allows. Thread-safe.
void use_baseline_kernels(bool use) noexcept;

}  // namespace heron::inline v0
