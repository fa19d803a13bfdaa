// Copies many short byte ranges to consecutive places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/arena.h"

namespace heron::inline v0 {

// Copies `bytes` of the `readable` bytes at `from`. Copies short ones as 16 bytes if that many are
// readable: the excess must be overwritten by the next range or lie in the arena's slack.
inline void copy_short(const std::byte* from, uint64_t readable, uint64_t bytes, std::byte* to) {
  constexpr uint64_t kStep = 16;
  static_assert(kStep <= Arena::kSlack);
  if (bytes <= kStep && readable >= kStep) {
    std::memcpy(to, from, kStep);
  } else if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace heron::inline v0
