// Ticks of 100 ns, and the units that Arrow has for times.
#pragma once

#include <cstdint>

namespace heron::inline v0::arrow {

inline constexpr int64_t kTicksBefore1970 = 621'355'968'000'000'000;  // since year 1

inline constexpr int64_t floor_divide(int64_t number, int64_t by) noexcept {
  return number / by - (number % by < 0);
}

}  // namespace heron::inline v0::arrow
