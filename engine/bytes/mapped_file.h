// A file as a read-only map.
#pragma once

#include <memory>
#include <string>

#include "bytes/byte_source.h"
#include "bytes/regular_file.h"

namespace heron::inline v0 {

// base() is the map (null for an empty file). What is cut off afterwards reads as zeros; reading a
// page of which nothing is left sets lost(), the end of the page before it only check_unchanged()
// finds. Throws Error(Io).
std::shared_ptr<const ByteSource> map_file(std::string name, RegularFile file);

}  // namespace heron::inline v0
