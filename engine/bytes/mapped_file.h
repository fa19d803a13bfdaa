// A file as a read-only map.
#pragma once

#include <memory>
#include <string>

#include "bytes/byte_source.h"
#include "bytes/regular_file.h"

namespace heron::inline v0 {

// base() is the map (null for an empty file). A part that is cut off afterwards reads as zeros and
// sets lost(); read() does not use the map. Throws Error(Io).
std::shared_ptr<const ByteSource> map_file(std::string name, RegularFile file);

}  // namespace heron::inline v0
