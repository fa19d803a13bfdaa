// From the bytes of one block, not compressed any more, to the engine's column over them.
#pragma once

#include "columns/key_column.h"
#include "idv/block_place.h"
#include "idv/codec_type.h"

namespace heron::inline v0::idv {

// What a block of these many bytes needs in front of them if it is read from memory: room for
// values that are not used as they lie. A multiple of 64.
uint64_t unpacked_bytes(const Codec& codec, uint64_t block_bytes) noexcept;

// A block that is not compressed any more: in the file, or in memory that it may be turned around
// in.
struct BlockBytes {
  ByteView view;
  // The memory that holds `view`, from the room in front of it on; null: in the file.
  std::byte* memory = nullptr;
};

// Whether decode() takes the block where it lies in the file: cells, bits, and vectors of such that
// are all dense and of one length. Reads, of vectors, how the rows are stored; damage is false.
bool readable_in_place(const Codec& codec, uint64_t rows, const ByteView& block,
                       const BlockPlace& place, const Context& context);

// The block's rows as a column of that label. The bytes outlive it. `values` are those of keys,
// null: they have none. Throws Error(Corrupt) for structure that does not hold; values are checked
// when read.
ColumnPtr decode(const Codec& codec, uint64_t rows, const ColumnLabel& label,
                 const BlockBytes& block, const std::shared_ptr<const KeyValues>& values,
                 const BlockPlace& place, const Context& context);

}  // namespace heron::inline v0::idv
