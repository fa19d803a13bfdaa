// Where the blocks of one column are: its lookup table, of which an entry is read when its block is
// asked for.
#pragma once

#include "bytes/byte_source.h"
#include "idv/block_place.h"
#include "idv/layout.h"

namespace heron::inline v0::idv {

// Stored bytes that lie between the header and the tail, and how many they become: at least one,
// and no more than they can become.
struct StoredBlock {
  uint64_t offset = 0;
  uint64_t stored_bytes = 0;
  uint64_t bytes = 0;
};

// Immutable, thread-safe. The file must outlive it.
class LookupTable {
 public:
  // Without blocks.
  LookupTable() = default;
  // Throws Error(Corrupt) that names `column` unless the table lies between the header and the
  // tail.
  LookupTable(const ByteSource& file, std::string_view column, int64_t offset, uint64_t blocks,
              Compression compression, uint64_t tail_offset);

  // Where place.block is. One entry of 16 bytes is read, in place or with one system call. Throws
  // Error(Corrupt).
  StoredBlock find(BlockPlace place, const Context& context) const;

  // What all blocks become together, as their entries have it. Reads all entries.
  uint64_t total_bytes(const Context& context) const;

 private:
  ByteView entries_;
  Compression compression_ = Compression::None;
  uint64_t tail_offset_ = 0;
};

}  // namespace heron::inline v0::idv
