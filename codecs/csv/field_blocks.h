// The values of one column, block by block: its fields of the blocks' texts, converted.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "columns/block_cache.h"
#include "csv/text_blocks.h"

namespace heron::inline v0::csv {

class FieldBlocks final : public BlockSource {
 public:
  // `place`: of the column among the fields. `nullable`: whether blocks have validity bitmaps.
  // Takes 8 bytes a block where it is of texts.
  FieldBlocks(std::shared_ptr<const TextBlocks> texts, uint64_t place, std::string name, Type type,
              bool nullable, std::shared_ptr<const NullWords> nulls);

  const std::string& name() const noexcept override { return texts_->source().name(); }
  uint64_t frame_bytes(uint64_t block, const Context& context) const override;
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context& context) const override;

 private:
  // Where the parts of a block lie in its frame.
  struct Layout {
    uint64_t cell_bytes;  // bits or offsets too
    uint64_t validity;
    uint64_t validity_bytes;
    uint64_t characters;
  };
  Layout layout(uint64_t rows) const noexcept;
  uint64_t most_characters(uint64_t block, const Context& context) const;

  const std::shared_ptr<const TextBlocks> texts_;
  const uint64_t place_;
  const std::string name_;
  const Type type_;
  const bool nullable_;
  const std::shared_ptr<const NullWords> nulls_;
  // Of texts, for each block: most_characters() + 1 once it is known.
  mutable std::vector<std::atomic<uint64_t>> characters_;
};

}  // namespace heron::inline v0::csv
