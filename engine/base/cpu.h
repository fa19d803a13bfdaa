// Kernels compiled per CPU. A kernel is a struct with one inlined `run`; dispatch compiles it
// twice, for any CPU and for x86-64-v3 (AVX2), and chooses at run time. Results must not depend on
// the choice. HERON_BASELINE_KERNELS leaves only those for any CPU.
//
// Not target_clones: its resolver runs before the thread sanitizer is ready and crashes.
#pragma once

#include <utility>

namespace heron::inline v0 {

#if defined(__x86_64__) && !defined(HERON_BASELINE_KERNELS)
#define HERON_X86_64_V3 __attribute__((target("avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,popcnt")))
#endif
#define HERON_INLINE [[gnu::always_inline]] inline

// Returns whether kernels run as compiled for x86-64-v3: if the CPU supports it and the environment
// does not set HERON_CPU=baseline.
bool has_x86_64_v3() noexcept;

#if defined(HERON_X86_64_V3)
template <class Kernel, class... Args>
HERON_X86_64_V3 auto run_x86_64_v3(Args... args) {
  return Kernel::run(args...);
}
#endif

// Kernel::run(args...), compiled for this machine. Costs a load and a branch: call it per batch.
template <class Kernel, class... Args>
auto dispatch(Args... args) {
#if defined(HERON_X86_64_V3)
  if (has_x86_64_v3()) return run_x86_64_v3<Kernel>(args...);
#endif
  return Kernel::run(args...);
}

}  // namespace heron::inline v0
