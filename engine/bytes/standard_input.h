// Standard input as bytes that can be read anywhere, again and again.
#pragma once

#include <memory>
#include <string>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// Opens a file as open_file() does, but "-" is standard input: the file itself if it is a regular
// file at its start, otherwise a copy, made at the process's first call, in an unnamed file in
// $TMPDIR or /tmp that lives as long as the process. Throws Error(Write) if the copy cannot be
// written, Error(Cancelled).
std::shared_ptr<const ByteSource> open_input(const std::string& path, bool map,
                                             const Context& context, Access access = Access::Auto);

}  // namespace heron::inline v0
