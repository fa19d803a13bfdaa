// Standard input as bytes that can be read anywhere, again and again.
#pragma once

#include <memory>
#include <string>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// As open_file(), but that "-" is standard input: itself where it is a regular file at its start,
// else copied, at the process's first call, to a file without a name in $TMPDIR or /tmp, which is
// gone with the process. Throws Error(Write) where that cannot be written, Error(Cancelled).
std::shared_ptr<const ByteSource> open_input(const std::string& path, bool map,
                                             const Context& context);

}  // namespace heron::inline v0
