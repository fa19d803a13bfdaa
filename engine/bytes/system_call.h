// System calls that a signal interrupts, or that move fewer bytes than they were given: what is to
// be done about it stands here alone. close() is not one of them: Linux has closed by the time it
// says EINTR.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

namespace heron::inline v0 {

// call(), again for as long as it fails with EINTR.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

// How many bytes were moved from or to this offset, or, without one, where the descriptor is. Fewer
// than were given: errno tells why; where the file ends it is 0.
uint64_t read_all(int descriptor, std::span<std::byte> into, uint64_t offset) noexcept;
uint64_t write_all(int descriptor, std::span<const std::byte> bytes, uint64_t offset) noexcept;
uint64_t write_all(int descriptor, std::span<const std::byte> bytes) noexcept;

}  // namespace heron::inline v0
