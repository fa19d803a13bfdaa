// The values of one column, block by block: the column's fields in the text of each block,
// converted.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "cache/block_column.h"
#include "csv/kept_values.h"
#include "csv/text_blocks.h"

namespace heron::inline v0::csv {

// The opened columns of a table, in its order. If a block's text has to be divided again for
// another column, queries are likely to read the next columns, too: their values of the block are
// also decoded into the cache, for twice as many columns each time.
class OpenColumns {
 public:
  // `most_ahead`: the number of columns whose values of all rows fit into the cache.
  OpenColumns(uint64_t columns, uint64_t most_ahead) : columns_(columns), most_ahead_(most_ahead) {}

  // `column` outlives every read of the table.
  void add(uint64_t index, const BlockColumn* column) const noexcept {
    columns_[index].store(column, std::memory_order_release);
  }
  // Decodes the block of the columns after `index`, while its text is in memory. A column whose
  // block has errors reports them when it is read itself.
  void decode_behind(uint64_t index, uint64_t block, uint64_t divisions,
                     const Context& context) const;

 private:
  mutable std::vector<std::atomic<const BlockColumn*>> columns_;
  const uint64_t most_ahead_;
};

class FieldBlocks final : public BlockSource {
 public:
  // `index` is the field of the column in a record. `nullable`: whether blocks have validity
  // bitmaps. A column of texts takes 8 bytes per block.
  FieldBlocks(std::shared_ptr<const TextBlocks> texts, uint64_t index, std::string name, Type type,
              bool nullable, std::shared_ptr<const FieldRules> rules,
              std::shared_ptr<const OpenColumns> columns, std::shared_ptr<KeptValues> kept);

  const std::string& name() const noexcept override { return texts_->source().name(); }
  uint64_t frame_bytes(uint64_t block, const Context& context) const override;
  ByteView stored(uint64_t block, const Context& context) const override;
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context& context) const override;

 private:
  // The offsets and sizes of a block's parts in its frame.
  struct Layout {
    uint64_t cell_bytes;  // bytes of cells, bits or offsets
    uint64_t validity;
    uint64_t validity_bytes;
    uint64_t characters;
  };
  Layout layout(uint64_t rows) const noexcept;
  std::byte* begin_validity(const Layout& parts, const BlockFrame& frame) const;
  bool take_kept(uint64_t block, uint64_t rows, const BlockFrame& frame) const;
  uint64_t convert(uint64_t block, uint64_t rows, const BlockFrame& frame,
                   const Context& context) const;
  std::shared_ptr<const TextBlock> divided(uint64_t block, const Context& context) const;
  uint64_t most_characters(uint64_t block, const Context& context) const;

  const std::shared_ptr<const TextBlocks> texts_;
  const uint64_t index_;
  const std::string name_;
  const Type type_;
  const bool nullable_;
  const std::shared_ptr<const FieldRules> rules_;
  const std::shared_ptr<const OpenColumns> columns_;
  const std::shared_ptr<KeptValues> kept_;  // null: no kept values
  // Each block's most_characters() + 1 once it is known, for columns of texts.
  mutable std::vector<std::atomic<uint64_t>> characters_;
};

}  // namespace heron::inline v0::csv
