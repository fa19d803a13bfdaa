// Where the blocks of one column are: its lookup table, of which an entry is read when its block is
// asked for.
#pragma once

#include "bytes/byte_source.h"
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
  // Throws Error(Corrupt), which names no file, unless the table lies between the header and the
  // tail.
  LookupTable(const ByteSource& file, int64_t offset, uint64_t blocks, Compression compression,
              uint64_t tail_offset);

  // One entry of 16 bytes is read, in place or with one system call. Throws Error(Corrupt), which
  // names no file.
  StoredBlock block(uint64_t index, const Context& context) const;

 private:
  ByteView entries_;
  Compression compression_;
  uint64_t tail_offset_;
};

}  // namespace heron::inline v0::idv
