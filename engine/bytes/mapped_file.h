// A file as a read-only map.
#pragma once

#include <memory>
#include <string>

#include "bytes/byte_source.h"
#include "bytes/regular_file.h"

namespace heron::inline v0 {

// base() is the map (null for an empty file). Bytes cut off later read as zeros; reading a page
// that is lost entirely sets lost(), while only check_unchanged() detects a page that is cut in
// part. Throws Error(Io).
std::shared_ptr<const ByteSource> map_file(std::string name, RegularFile file,
                                           Access access = Access::Auto);

}  // namespace heron::inline v0
