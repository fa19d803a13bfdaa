// Reads what open() needs of a file: its header, its tail, and the contents. Entries of the
// contents are not checked here, because a bad one damages only its column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "idv/layout.h"
#include "idv/packed.h"

namespace heron::inline v0::idv {

// The offsets of the parts of a file, checked: behind the header and, except for the tail, before
// the tail.
struct FileHeader {
  uint64_t version = 0;
  uint64_t compatible_version = 0;
  uint64_t contents_offset = 0;  // any value if there are no columns
  uint64_t tail_offset = 0;
  uint64_t rows = 0;
  uint64_t columns = 0;
};

// Reads and checks the header. Throws Error: Unsupported for versions, Corrupt for contradictions,
// also with the file's size.
FileHeader read_header(const ByteSource& file, const Context& context);

// Returns "1.1.1.6", for example.
std::string version_text(uint64_t version);

// A codec's name and parameters as stored.
struct CodecDefinition {
  std::string_view name;
  std::span<const std::byte> parameters;
  uint64_t offset = 0;  // offset of the parameters in the file
};

// The entry of one column in the contents, unchecked.
struct Entry {
  std::string_view name;
  CodecDefinition codec;
  Compression compression = Compression::None;
  uint64_t block_rows = 0;
  int64_t lookup_offset = 0;
  int64_t metadata_offset = 0;
};

// Reads a definition. The views live as long as those of the reader.
CodecDefinition next_codec(PackedReader& reader);

// The entries of all columns. Immutable.
class Contents {
 public:
  // Throws Error(Corrupt) if an entry cannot be parsed. Time and memory grow with the columns.
  Contents(const ByteSource& file, const FileHeader& header, const Context& context);

  uint64_t size() const noexcept { return starts_.size(); }
  // The views of the returned entry live as long as these Contents.
  Entry operator[](uint64_t column) const;

 private:
  const ByteSource& file_;
  uint64_t offset_;
  std::vector<std::byte> bytes_;
  std::vector<uint64_t> starts_;  // offsets of the entries in bytes_
};

}  // namespace heron::inline v0::idv
