// The frames of a zstd file (RFC 8878), walked from header to header: where each ends is known
// without decompressing it.
#pragma once

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// Throws Error(Corrupt), with the offset, unless the source is whole frames, at least one;
// Error(Limit) for a frame with a window of more than 128 MiB. Costs a read of at most 4 KiB for
// each block of up to 128 KiB; smaller blocks share a read.
void check_zstd_frames(const ByteSource& source, const Context& context);

}  // namespace heron::inline v0
