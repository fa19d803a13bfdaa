// Requests that the system read parts of a file into memory, without waiting for them.
#pragma once

#include <span>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// `are_far`: the ranges are needed only after others that are under way. Threads of the kernel then
// request them (io_uring, if it was built in and is allowed), so that the calling thread does not
// wait when the device takes no more. Otherwise the calling thread requests them, which takes less
// time in all. Returns false if the file system is known not to support it. Thread-safe.
bool request_pages(int file, std::span<const ByteRange> ranges, bool are_far) noexcept;

// Returns whether threads of the kernel request far ranges.
bool has_ring() noexcept;

}  // namespace heron::inline v0
