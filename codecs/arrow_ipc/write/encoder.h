// Makes the body of a record batch of values: its nodes and buffers, and their bytes.
#pragma once

#include <span>
#include <vector>

#include "arrow_ipc/layout.h"
#include "heron/context.h"
#include "heron/values.h"

namespace heron::inline v0::arrow_ipc {

// One batch at a time. One thread at a time.
class BodyEncoder {
 public:
  // Appends rows of a column, in the order of the schema. Texts are UTF-8. Keys with values become
  // codes from 0, other keys stay numbers. `has_fixed_size`: they are lists of as many items each,
  // whose offsets are not stored.
  void add(const Values& values, RowRange rows, bool has_fixed_size = false);
  // Appends rows of a struct: those of `values` say which are null; of the children none is.
  void add_struct(const Values& values, std::span<const Values> children, RowRange rows);
  // Compresses each buffer of the rows that were added; the next call is clear(). Uses the threads
  // of the context. Throws Error(Cancelled).
  void compress(BodyCodec codec, const Context& context);
  void clear() noexcept;

  const std::vector<StoredNode>& nodes() const noexcept { return nodes_; }
  const std::vector<StoredBuffer>& buffers() const noexcept { return buffers_; }
  // A multiple of 64 bytes, as are the offsets of all buffers; of 8 if it is compressed.
  const std::vector<std::byte>& body() const noexcept { return body_; }

 private:
  void add_codes(const Values& keys, RowRange rows);
  void add_validity(const Values& values, RowRange rows);
  void add_bits(const Buffer& bits, RowRange rows);
  template <class Offset>
  RowRange add_offsets(const Values& values, RowRange rows);
  // Adds a buffer with memory for `bytes`, followed by padding of zeros.
  std::byte* add_buffer(uint64_t bytes);

  std::vector<StoredNode> nodes_;
  std::vector<StoredBuffer> buffers_;
  std::vector<std::byte> body_;
};

}  // namespace heron::inline v0::arrow_ipc
