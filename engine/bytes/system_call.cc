#include "bytes/system_call.h"

#include <unistd.h>

namespace heron::inline v0 {
namespace {

// Calls transfer(done, left), which moves some of the bytes left, until none are left. `none` is
// the errno of a call that moves nothing.
template <class Transfer>
uint64_t transfer_all(uint64_t bytes, int none, Transfer transfer) {
  uint64_t done = 0;
  while (done < bytes) {
    const ssize_t moved = uninterrupted([&] { return transfer(done, bytes - done); });
    if (moved == 0) errno = none;
    if (moved <= 0) break;
    done += static_cast<uint64_t>(moved);
  }
  return done;
}

}  // namespace

uint64_t read_all(int descriptor, std::span<std::byte> into, uint64_t offset) noexcept {
  return transfer_all(into.size(), 0, [&](uint64_t done, uint64_t left) {
    return ::pread(descriptor, into.data() + done, left, static_cast<off_t>(offset + done));
  });
}

uint64_t write_all(int descriptor, std::span<const std::byte> bytes, uint64_t offset) noexcept {
  return transfer_all(bytes.size(), EIO, [&](uint64_t done, uint64_t left) {
    return ::pwrite(descriptor, bytes.data() + done, left, static_cast<off_t>(offset + done));
  });
}

uint64_t write_all(int descriptor, std::span<const std::byte> bytes) noexcept {
  return transfer_all(bytes.size(), EIO, [&](uint64_t done, uint64_t left) {
    return ::write(descriptor, bytes.data() + done, left);
  });
}

}  // namespace heron::inline v0
