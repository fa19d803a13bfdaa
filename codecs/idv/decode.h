// Makes a column from the bytes of one decompressed block.
#pragma once

#include "columns/dictionaries/key_column.h"
#include "idv/block_position.h"
#include "idv/codec_type.h"

namespace heron::inline v0::idv {

// Returns how many free bytes a block of this size needs in front of it in memory, for values that
// are converted. A multiple of 64.
uint64_t unpacked_bytes(const Codec& codec, uint64_t block_bytes) noexcept;

// A decompressed block: in the file, or in memory that decode() may modify.
struct BlockBytes {
  ByteView view;
  // The memory of `view`, including the free bytes in front; null: the view is in the file.
  std::byte* memory = nullptr;
};

// Returns whether decode() accepts the block in place in the file: cells, bits, and vectors of
// cells or bits that are all dense and of one length. For vectors, reads how rows are stored;
// returns false if that is damaged.
bool readable_in_place(const Codec& codec, uint64_t rows, const ByteView& block,
                       const BlockPosition& position, const Context& context);

// Returns the block's rows as a column with that label. The bytes must outlive the column. `values`
// are those of keys; null: none. Throws Error(Corrupt) for invalid structure; values are checked
// when read.
ColumnPtr decode(const Codec& codec, uint64_t rows, const ColumnLabel& label,
                 const BlockBytes& block, const std::shared_ptr<const KeyValues>& values,
                 const BlockPosition& position, const Context& context);

}  // namespace heron::inline v0::idv
