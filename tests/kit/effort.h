// The effort of tests that could go on for ever: HERON_TEST_EFFORT (1) times the default, and a
// quarter of that under a sanitizer.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace heron::inline v0 {

// True if a sanitizer checks the program, which makes it several times as slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

inline uint64_t tries(uint64_t by_default) {
  static const char* const effort = std::getenv("HERON_TEST_EFFORT");
  static const uint64_t times = effort == nullptr ? 1 : std::strtoull(effort, nullptr, 10);
  return kIsSanitized ? (by_default * times + 3) / 4 : by_default * times;
}

}  // namespace heron::inline v0
