// The directory at the end of a zip file is read whole, at open, and checked, since all offsets and
// sizes come from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0::zip {

struct DirectoryEntry {
  std::string path;
  uint64_t header_offset = 0;
  uint64_t end = 0;  // offset of the next entry, or of the directory
  uint64_t stored_bytes = 0;
  uint64_t bytes = 0;
  uint32_t crc32 = 0;
  uint16_t flags = 0;
  uint16_t method = 0;
  uint16_t name_bytes = 0;  // length of the name as stored
};

// Reads the entries of files, in the order of the directory; folders are left out. Entries do not
// overlap, their paths differ and stay inside the archive, and their headers, names and data are
// before the directory. Throws Error: Corrupt; Unsupported for a file split into several.
std::vector<DirectoryEntry> read_directory(const ByteSource& file, const Context& context);

}  // namespace heron::inline v0::zip
