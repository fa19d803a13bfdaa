// Columns are read one after the other; the blocks that several of them need are decoded side by
// side before, and those that a scan will need.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cache/block_column.h"
#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/row_range.h"
#include "heron/scan.h"

namespace heron::inline v0 {

// For one batch. Does nothing on one thread, and nothing for a column that needs many blocks, which
// decodes them side by side itself. What cannot be decoded is left for whoever reads it to meet.
class BlocksAhead {
 public:
  // Rows by number, or consecutive ones; what is passed in must stay.
  BlocksAhead(const Projection& columns, std::span<const uint64_t> rows, const Context& context)
      : columns_(columns.columns()), rows_(rows), use_(BlockUse::Take), context_(context) {}
  BlocksAhead(const Projection& columns, RowRange range, const Context& context)
      : columns_(columns.columns()), range_(range), use_(BlockUse::Scan), context_(context) {}

  // Before column i is read, in order. Throws Error(Cancelled).
  void reach(uint64_t i) {
    if (context_.threads != 1 && i == next_) decode_from(i);
  }
  // What was decoded at the last column that something was done for, to be kept for longer.
  std::vector<std::shared_ptr<const void>> keep() &&;

 private:
  struct Wanted {
    const BlockColumn* column;
    uint64_t block;
    uint64_t bytes;  // decoded
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
  uint64_t next_ = 0;  // the first column that nothing was done for
  std::vector<Wanted> wanted_;
  uint64_t wanted_bytes_ = 0;
};

}  // namespace heron::inline v0
