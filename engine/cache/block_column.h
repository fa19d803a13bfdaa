// Rows in blocks that are decoded one by one: compressed ones, or blocks with an index of their
// own. A decoded block is a column of any other kind. In blocks of equally many rows, a row's block
// is found without a search.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "cache/decoded_block.h"
#include "cache/in_place_cells.h"

namespace heron::inline v0 {

class BlockColumn final : public Column {
 public:
  // Block k has the rows from k x block_rows (not 0) up to the next block; there are fewer than
  // 2^32 blocks. Blocks are columns of `type` whose take() copies; `nullable` says whether any of
  // their values can be null; `key_values` are the values of the keys in all blocks, if any.
  BlockColumn(Type type, uint64_t rows, ColumnLabel label, uint64_t block_rows, bool nullable,
              std::shared_ptr<const BlockSource> source, std::shared_ptr<BlockCache> cache,
              std::shared_ptr<const KeyValues> key_values = nullptr);
  // Blocks of any numbers of rows: run i of `runs`, made of starts, has the rows of block i; none
  // is empty.
  BlockColumn(Type type, uint64_t rows, ColumnLabel label, std::shared_ptr<const Runs> runs,
              bool nullable, std::shared_ptr<const BlockSource> source,
              std::shared_ptr<BlockCache> cache,
              std::shared_ptr<const KeyValues> key_values = nullptr);

  bool nullable() const noexcept override { return nullable_; }
  // Values of a single block are not copied: they point into it, and the arena keeps it.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  // Pins each block once; rows are returned in the order given. Like read(), decodes many blocks on
  // the Context's threads.
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  // Returns stored cells if all rows lie in one block that is not dictionary-encoded (dictionaries
  // are per block); otherwise decoded values.
  ColumnChunk chunk(RowRange rows, Arena& arena, const Context& context) const override;
  // Returns codes if all rows lie in one block, of a source that keeps dictionaries.
  std::optional<ColumnCodes> codes(RowRange rows, Arena& arena,
                                   const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;
  const BlockColumn* blocks() const noexcept override { return runs_ == nullptr ? this : nullptr; }
  const KeyValues* key_values() const noexcept override { return key_values_.get(); }

  // block_rows() is only called for blocks of equally many rows.
  uint64_t block_rows() const noexcept { return numbering_.rows; }
  uint64_t block_of(uint64_t row) const noexcept { return numbering_.block_of(row); }
  uint64_t row_in_block(uint64_t row) const noexcept { return numbering_.row_in_block(row); }
  // Returns the cells of these rows' blocks, opened if they were not, as long as the column lives;
  // null if they have to be read block by block, or can be null. Throws what pin() throws.
  const InPlaceCells* in_place(std::span<const uint64_t> rows, const Context& context) const {
    return nullable_ ? nullptr : cells_in_place(rows, context);
  }
  BlockSlots::Pin pin(uint64_t block, BlockUse use, const Context& context) const {
    return slots_->pin(block, rows_of(block).rows(), use, context);
  }
  // The result keeps the block alive, independent of all other owners.
  std::shared_ptr<const void> keep(BlockSlots::Pin pin) const {
    return slots_->keep(std::move(pin));
  }
  // Keeps the block as long as the arena's allocations; a block that the cache cannot hold is also
  // kept through the next read, which is usually of the same block.
  void keep(BlockSlots::Pin pin, Arena& arena) const;
  // The bytes of the decoded block.
  uint64_t frame_bytes(uint64_t block, const Context& context) const {
    return slots_->frame_bytes(block, context);
  }
  // The bytes that the block takes in the file; 0: the codec does not report them.
  uint64_t stored_bytes(uint64_t block, const Context& context) const {
    return slots_->stored(block, context).bytes;
  }
  BlockSlots::Pin pin_if_cached(uint64_t block, BlockUse use) const noexcept {
    return slots_->pin_if_cached(block, use);
  }

 private:
  BlockColumn(Type type, uint64_t rows, ColumnLabel label, BlockRows blocks,
              std::shared_ptr<const Runs> runs, bool nullable,
              std::shared_ptr<const BlockSource> source, std::shared_ptr<BlockCache> cache,
              std::shared_ptr<const KeyValues> key_values);
  // Returns what in_place() does, also for rows that can be null.
  const InPlaceCells* cells_in_place(std::span<const uint64_t> rows, const Context& context) const {
    const auto open = [&](uint64_t block) { return pin(block, BlockUse::Take, context); };
    return in_place_ != nullptr && in_place_->prepare(rows, open) ? in_place_.get() : nullptr;
  }
  RowRange rows_of(uint64_t block) const noexcept;
  // Returns the block of rows that ascend with small steps, if all are in one.
  std::optional<uint64_t> only_block(std::span<const uint64_t> rows) const noexcept;
  Values take_in_block(uint64_t block, std::span<const uint64_t> rows, Arena& arena,
                       const Context& context) const;
  void locate_in_place(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                       const Context& context) const;
  // Copies the cells of a few rows of one block.
  Values read_few(RowRange rows, Arena& arena, const Context& context) const;
  // Calls make(i, pin of block block_at(i)) for i from 0 to count - 1.
  template <class BlockAt, class Make>
  void each_block(uint64_t count, BlockUse use, const Context& context, BlockAt block_at,
                  Make make) const;

  uint64_t block_count() const noexcept { return rows() == 0 ? 0 : block_of(rows() - 1) + 1; }

  std::shared_ptr<const Runs> runs_;  // null: blocks have equally many rows
  BlockRows numbering_;
  bool nullable_;
  std::shared_ptr<const KeyValues> key_values_;
  std::shared_ptr<BlockSlots> slots_;
  std::unique_ptr<InPlaceCells> in_place_;  // null if blocks are decoded
};

// The column itself, or the first column that it is computed from, whose rows are in decoded
// blocks; null if there is none.
inline const BlockColumn* blocks_behind(const Column& column) noexcept {
  const BlockColumn* blocks = column.blocks();
  for (const Column* input : column.inputs()) {
    if (blocks == nullptr) blocks = input->blocks();
  }
  return blocks;
}

}  // namespace heron::inline v0
