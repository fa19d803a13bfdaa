#include "base/cpu.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "base/baseline_kernels.h"

#if defined(HERON_X86_64_V3)
#include <cpuid.h>
#endif

namespace heron::inline v0 {
namespace {

constinit std::atomic<bool> g_baseline{false};

#if defined(HERON_X86_64_V3)
// Asks the processor itself: clang's __builtin_cpu_supports() does not know this feature.
bool has_f16c() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

}  // namespace

bool has_x86_64_v3() noexcept {
#if defined(HERON_X86_64_V3)
  static const bool has = [] {
    const char* requested = std::getenv("HERON_CPU");
    if (requested != nullptr && std::string_view(requested) == "baseline") return false;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("popcnt") && has_f16c();
  }();
  return has && !g_baseline.load(std::memory_order_relaxed);
#else
  return false;
#endif
}

void use_baseline_kernels(bool use) noexcept {
  g_baseline = use;
}

}  // namespace heron::inline v0
