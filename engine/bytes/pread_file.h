// A file without a map: for files that others may cut short, and where address space is scarce.
#pragma once

#include <memory>
#include <string>

#include "bytes/byte_source.h"
#include "bytes/regular_file.h"

namespace heron::inline v0 {

// base() is null; read() is pread and bytes_read() counts it.
std::shared_ptr<const ByteSource> pread_file(std::string name, RegularFile file,
                                             Access access = Access::Auto);

}  // namespace heron::inline v0
