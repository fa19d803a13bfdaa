// How much memory a file may make a question take: what it stores, as DEFLATE packs it at best
// (1,032 : 1), and what a question needs anyway. Files that claim more share bytes between columns
// or blocks, and what is made of them is Error(Limit) before it is held.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heron::inline v0 {

// Together with what a program takes before it opens a file, less than 64 MiB and 1,100 times the
// file.
constexpr uint64_t memory_for(uint64_t file_bytes) noexcept {
  constexpr uint64_t kOfAnyFile = uint64_t{44} << 20;
  constexpr uint64_t kPerByte = 1'060;
  return kOfAnyFile + std::min(file_bytes, UINT64_MAX / 2 / kPerByte) * kPerByte;
}

}  // namespace heron::inline v0
