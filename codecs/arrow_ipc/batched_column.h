// Rows in batches of any numbers of rows, each opened at its first use and cached. BlockColumn,
// for blocks of equally many rows, finds a row's block without a search.
#pragma once

#include <memory>

#include "cache/decoded_block.h"
#include "columns/runs.h"

namespace heron::inline v0::arrow_ipc {

class BatchedColumn final : public Column {
 public:
  // Run i of `runs` are the rows of block i of `source`, of which none is empty. `nullable`: any
  // value can be null.
  BatchedColumn(Type type, uint64_t rows, ColumnLabel label, std::shared_ptr<const Runs> runs,
                bool nullable, std::shared_ptr<const BlockSource> source,
                std::shared_ptr<BlockCache> cache)
      : Column(std::move(type), rows, std::move(label)),
        runs_(std::move(runs)),
        nullable_(nullable),
        slots_(std::make_shared<BlockSlots>(std::move(cache), runs_->size(), std::move(source))) {}

  bool nullable() const noexcept override { return nullable_; }
  // Values of a single batch are not copied: they point into it, and the arena keeps it.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  ColumnChunk chunk(RowRange rows, Arena& arena, const Context& context) const override;
  // Returns codes if all rows lie in one batch.
  std::optional<ColumnCodes> codes(RowRange rows, Arena& arena,
                                   const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;

 private:
  BlockSlots::Pin pin(uint64_t batch, BlockUse use, const Context& context) const {
    return slots_->pin(batch, (*runs_)[batch].rows(), use, context);
  }
  void keep(BlockSlots::Pin pin, Arena& arena) const;

  const std::shared_ptr<const Runs> runs_;
  const bool nullable_;
  const std::shared_ptr<BlockSlots> slots_;
};

}  // namespace heron::inline v0::arrow_ipc
