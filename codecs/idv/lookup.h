// The lookup table of one column, which locates its blocks. A lookup entry is read when its block
// is needed.
#pragma once

#include "bytes/byte_source.h"
#include "idv/block_position.h"
#include "idv/layout.h"

namespace heron::inline v0::idv {

// The location of a block between the header and the tail, and its decompressed size: at least one
// byte, and no more than the stored bytes can decompress to.
struct StoredBlock {
  uint64_t offset = 0;
  uint64_t stored_bytes = 0;
  uint64_t bytes = 0;
};

// Immutable, thread-safe. The file must outlive the table.
class LookupTable {
 public:
  // Makes a table without blocks.
  LookupTable() = default;
  // Throws Error(Corrupt) that names `column` unless the table lies between the header and the
  // tail.
  LookupTable(const ByteSource& file, std::string_view column, int64_t offset, uint64_t blocks,
              Compression compression, uint64_t tail_offset);

  // Locates position.block. Reads one entry of 16 bytes, in place or with one system call. Throws
  // Error(Corrupt).
  StoredBlock find(BlockPosition position, const Context& context) const;

  // Returns the decompressed size of all blocks, according to their entries. Reads all entries.
  uint64_t total_bytes(const Context& context) const;

 private:
  ByteView entries_;
  Compression compression_ = Compression::None;
  uint64_t tail_offset_ = 0;
};

}  // namespace heron::inline v0::idv
