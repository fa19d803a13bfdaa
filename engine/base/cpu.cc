#include "base/cpu.h"

#include <cstdlib>
#include <string_view>

namespace heron::inline v0 {

bool has_x86_64_v3() noexcept {
#if defined(HERON_X86_64_V3)
  static const bool has = [] {
    const char* requested = std::getenv("HERON_CPU");
    if (requested != nullptr && std::string_view(requested) == "baseline") return false;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c") &&
           __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
  }();
  return has;
#else
  return false;
#endif
}

}  // namespace heron::inline v0
