// How the blocks of one column come to be read: from where they lie, or decompressed into memory.
#pragma once

#include "columns/block_cache.h"
#include "idv/decode.h"
#include "idv/lookup.h"

namespace heron::inline v0::idv {

struct BlockColumnParts {
  std::string name;
  Codec codec;
  std::string encoding;
  Compression compression = Compression::None;
  uint64_t rows = 0;  // of the column
  uint64_t block_rows = 1;
  LookupTable lookup;
  std::shared_ptr<const KeyValues> key_values;  // null: none
};

class Blocks final : public BlockSource {
 public:
  // The file must outlive it.
  Blocks(const ByteSource& file, BlockColumnParts parts) : file_(file), parts_(std::move(parts)) {}

  const std::string& name() const noexcept { return file_.name(); }
  uint64_t frame_bytes(uint64_t block, const Context& context) const override;
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context& context) const override;

 private:
  RowRange rows_of(uint64_t block) const noexcept;
  // For error texts.
  std::string place(uint64_t block) const;

  const ByteSource& file_;
  BlockColumnParts parts_;
};

// Brings the bytes of a stored block to memory, as they were before they were compressed. Throws
// Error(Corrupt), which names no file, if they are not `into.size()`.
void load_block(const ByteSource& file, Compression compression, const StoredBlock& stored,
                std::span<std::byte> into, const Context& context);

// Calls `work`; an Error(Corrupt) of it is thrown again as one of this place in this file. It may
// have named the file, or the memory that a block was decoded to, or nothing.
template <class Work>
auto at_place(const ByteSource& file, const std::string& place, std::string_view column,
              const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Corrupt) throw;
    throw_at_place(file, place, column, error);
  }
}
[[noreturn]] void throw_at_place(const ByteSource& file, const std::string& place,
                                 std::string_view column, const Error& error);

}  // namespace heron::inline v0::idv
