// Asks the system to read parts of a file into memory, and waits for none of them.
#pragma once

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// `is_far`: it is read only after other parts that are on their way. Threads of the kernel then ask
// for it (io_uring, where it was built in and is allowed), while the calling thread goes on; a scan
// was a tenth faster. Otherwise the calling thread asks. Single pages never go that way, on which
// they were slower than one after the other. Returns false where the file system does not do it, as
// far as is known yet. Thread-safe.
bool request_pages(int file, const ByteRange& range, bool is_far) noexcept;

// Whether far parts are asked for by threads of the kernel.
bool has_ring() noexcept;

}  // namespace heron::inline v0
