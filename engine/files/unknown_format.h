// The error for a file in an unknown format.
#pragma once

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// Throws Error(UnknownFormat) that says what the file seems to be and how to convert it:
// "compressed with xz; unpack it first: ..".
[[noreturn]] void throw_unknown_format(const ByteSource& bytes, const Context& context);

}  // namespace heron::inline v0
