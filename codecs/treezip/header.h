// The header of a file, and its bits in memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "treezip/bits.h"
#include "treezip/layout.h"

namespace heron::inline v0::treezip {

struct Header {
  uint64_t size = 0;  // bytes of the payload: any number
  unsigned feat_addr = 0;
  unsigned feat_prev = 0;

  unsigned features() const noexcept { return feat_addr + feat_prev; }
  // Returns whether the initial bits are the whole payload; the tree is then unused.
  bool is_only_initial() const noexcept { return size <= feat_prev / 8; }
};

// Reads the header from 32 bytes. Throws Error: UnknownFormat, Unsupported (another version),
// Corrupt.
Header read_header(const ByteSource& file, const Context& context);

// A file with its header read and its bit stream in memory: in the map if there is one, else a copy
// of the file's first bytes, charged to the Context's budget. Immutable, thread-safe.
class TreeFile {
 public:
  // A copy has at most `most_bytes`: only parsing finds the end of a tree, and a file that is
  // itself decoded may claim any size. Throws Error(Corrupt) if the file ends within the initial
  // bits, Error(Limit).
  TreeFile(std::shared_ptr<const ByteSource> file, uint64_t most_bytes, const Context& context);

  const std::string& name() const noexcept { return file_->name(); }
  const Header& header() const noexcept { return header_; }
  // The bit stream from byte 32 on. The tree begins at bit feat_prev, which exists.
  const BitStream& bits() const noexcept { return bits_; }
  // Returns whether the stream reaches the end of the file.
  bool is_whole() const noexcept { return sizeof(StoredHeader) + bits_.bytes == file_->size(); }
  uint64_t tree_begin() const noexcept { return header_.feat_prev; }
  const ByteSource& source() const noexcept { return *file_; }

  // Copies the initial bits over their part of `payload`, which begins at byte `offset` of the
  // payload.
  void put_initial_bits(uint64_t offset, std::span<std::byte> payload) const noexcept;

  // Throws Error(kind) "FILE: tree, bit N of the bit stream (byte M): ...".
  template <class... Parts>
  [[noreturn]] void fail_at(ErrorKind kind, uint64_t bit, const Parts&... parts) const {
    fail(kind, name(), "tree, bit ", bit, " of the bit stream (byte ",
         sizeof(StoredHeader) + bit / 8, "): ", parts...);
  }

 private:
  std::shared_ptr<const ByteSource> file_;
  Header header_;
  std::shared_ptr<const void> copy_;  // null with a map
  BitStream bits_;
};

}  // namespace heron::inline v0::treezip
