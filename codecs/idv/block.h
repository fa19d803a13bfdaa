// Reads the blocks of one column: in place in the file, or decompressed into memory.
#pragma once

#include "bytes/inflate.h"
#include "cache/decoded_block.h"
#include "idv/decode.h"
#include "idv/lookup.h"

namespace heron::inline v0::idv {

// Returns how a block with this compression, which is not None, is compressed.
constexpr DeflateFormat deflate_format(Compression compression) noexcept {
  return compression == Compression::Zlib ? DeflateFormat::Zlib : DeflateFormat::Raw;
}

// A column as its entry in the contents defines it.
struct StoredColumn {
  std::string name;
  Codec codec;
  std::string encoding;
  Compression compression = Compression::None;
  uint64_t rows = 0;
  uint64_t block_rows = 1;
  LookupTable lookup;
  std::shared_ptr<const KeyValues> key_values;  // null: no key values
};

class Blocks final : public BlockSource {
 public:
  // The file must outlive the Blocks.
  Blocks(const ByteSource& file, StoredColumn column) : file_(file), column_(std::move(column)) {}

  const std::string& name() const noexcept override { return file_.name(); }
  uint64_t frame_bytes(uint64_t block, const Context& context) const override;
  ByteView stored(uint64_t block, const Context& context) const override;
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context& context) const override;

 private:
  BlockPosition position(uint64_t block) const noexcept {
    return {file_.name(), column_.name, {}, block, 0};
  }

  const ByteSource& file_;
  const StoredColumn column_;
};

}  // namespace heron::inline v0::idv
