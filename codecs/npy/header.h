// Reads a file's header.
#pragma once

#include "bytes/byte_source.h"
#include "npy/layout.h"

namespace heron::inline v0::npy {

// Throws Error: Unsupported (versions, pickled objects), Corrupt, Limit.
Header read_header(const ByteSource& bytes, const Context& context);

}  // namespace heron::inline v0::npy
