// The memory that a query over a file may take: the size of its content at DEFLATE's best ratio
// (1,032 : 1), plus what every query needs. A file that claims more shares bytes between columns or
// blocks; decoding it is Error(Limit) before any memory is taken.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heron::inline v0 {

// The memory for a file of that size. With the memory of a program before it opens a file, it is
// less than 64 MiB and 1,100 times the file.
constexpr uint64_t memory_for(uint64_t file_bytes) noexcept {
  constexpr uint64_t kOfAnyFile = uint64_t{44} << 20;
  constexpr uint64_t kPerByte = 1'060;
  return kOfAnyFile + std::min(file_bytes, UINT64_MAX / 2 / kPerByte) * kPerByte;
}

}  // namespace heron::inline v0
