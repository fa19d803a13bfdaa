// Decodes the blocks of several columns in parallel before the columns are read one by one.
#pragma once

#include <span>
#include <vector>

#include "cache/block_column.h"
#include "heron/context.h"
#include "heron/row_range.h"
#include "table/internals.h"

namespace heron::inline v0 {

// For one batch. Does nothing on one thread, or for a column that needs many blocks: that one
// decodes them in parallel itself. Damaged blocks are left for their reader to report.
class BlocksAhead {
 public:
  // Row numbers, or consecutive rows. All arguments must outlive this.
  BlocksAhead(const Projection& columns, std::span<const uint64_t> rows, const Context& context)
      : columns_(internals(columns).columns()),
        rows_(rows),
        use_(BlockUse::Take),
        context_(context) {}
  BlocksAhead(const Projection& columns, RowRange range, const Context& context)
      : columns_(internals(columns).columns()),
        range_(range),
        use_(BlockUse::Scan),
        context_(context) {}

  // Call it before reading column i, in order. Throws Error(Cancelled).
  void reach(uint64_t i) {
    if (context_.threads != 1 && i == next_) decode_from(i);
  }

 private:
  struct Wanted {
    const BlockColumn* column;
    uint64_t block;
    uint64_t bytes;  // of the decoded block
    BlockSlots::Pin pin;
  };
  void decode_from(uint64_t i);
  bool add_blocks_of(const BlockColumn& column);
  bool add(const BlockColumn& column, uint64_t block);

  std::span<const Column* const> columns_;
  std::span<const uint64_t> rows_;
  RowRange range_;
  BlockUse use_;
  const Context& context_;
  uint64_t next_ = 0;  // the first column not yet considered
  std::vector<Wanted> wanted_;
  uint64_t wanted_bytes_ = 0;
};

}  // namespace heron::inline v0
