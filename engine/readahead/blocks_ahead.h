// Decodes the blocks of several columns in parallel before the columns are read one by one.
#pragma once

#include <span>
#include <vector>

#include "cache/block_column.h"
#include "columns/prefetch.h"
#include "heron/context.h"

namespace heron::inline v0 {

// Serves one batch. Does nothing for a column that needs many blocks: it decodes them in parallel
// itself. Damaged blocks are left for their reader to report.
class BlocksAhead {
 public:
  // The objects that the arguments refer to must outlive this.
  BlocksAhead(std::span<const Column* const> columns, const RowsToRead& rows,
              const Context& context)
      : columns_(columns),
        rows_(rows),
        use_(rows.list.empty() ? BlockUse::Scan : BlockUse::Take),
        context_(context) {}

  // Call it before reading column i, in order. Throws Error(Cancelled).
  void before(uint64_t i) {
    if (i == next_) decode_from(i);
  }

 private:
  struct PendingBlock {
    const BlockColumn* column;
    uint64_t block;
    uint64_t bytes;  // bytes of the decoded block
    BlockSlots::Pin pin;
  };
  void decode_from(uint64_t i);
  bool add_blocks_of(const BlockColumn& column);
  bool add(const BlockColumn& column, uint64_t block);

  const std::span<const Column* const> columns_;
  const RowsToRead rows_;
  const BlockUse use_;
  const Context& context_;
  uint64_t next_ = 0;  // the first column not yet considered
  std::vector<PendingBlock> pending_;
  uint64_t pending_bytes_ = 0;
};

}  // namespace heron::inline v0
