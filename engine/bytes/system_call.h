// Retries of system calls that a signal interrupts, or that move fewer bytes than requested.
// close() is not one of them: Linux has closed the file even when close() fails with EINTR.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

namespace heron::inline v0 {

// Calls call() again as long as it fails with EINTR.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

// Return how many bytes were moved from or to this offset, or, without one, at the position of the
// descriptor. If fewer than requested, errno has the reason; 0 at the end of the file.
uint64_t read_all(int descriptor, std::span<std::byte> into, uint64_t offset) noexcept;
uint64_t write_all(int descriptor, std::span<const std::byte> bytes, uint64_t offset) noexcept;
uint64_t write_all(int descriptor, std::span<const std::byte> bytes) noexcept;

}  // namespace heron::inline v0
