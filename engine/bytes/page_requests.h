// Asks the system to read parts of a file into memory, and waits for none of them.
#pragma once

#include <span>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// `are_far`: they are read only after other ranges that are on their way. Threads of the kernel
// then ask for them (io_uring, where it was built in and is allowed) while the calling thread goes
// on, which does not wait where the device takes no more. Otherwise the calling thread asks, which
// takes less time in all. Returns false where the file system does not do it, as far as is known
// yet. Thread-safe.
bool request_pages(int file, std::span<const ByteRange> ranges, bool are_far) noexcept;

// Whether threads of the kernel ask for far ranges.
bool has_ring() noexcept;

}  // namespace heron::inline v0
