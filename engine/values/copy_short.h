// Copies many short byte ranges, one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/arena.h"

namespace heron::inline v0 {

inline constexpr uint64_t kShortBytes = 16;

// Copies `bytes` of the `readable` bytes at `from`. Copies short ones as 16 bytes if that many are
// readable: the excess must be overwritten by the next range or lie in the arena's slack.
inline void copy_short(const std::byte* from, uint64_t readable, uint64_t bytes, std::byte* to) {
  static_assert(kShortBytes <= Arena::kSlack);
  if (bytes <= kShortBytes && readable >= kShortBytes) {
    std::memcpy(to, from, kShortBytes);
  } else if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace heron::inline v0
