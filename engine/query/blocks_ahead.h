// Columns are read one after the other; the blocks that several of them need are decoded side by
// side before.
#pragma once

#include <vector>

#include "columns/block_column.h"
#include "heron/query.h"

namespace heron::inline v0 {

// For one batch. Does nothing on one thread, and nothing for a column that needs many blocks, which
// decodes them side by side itself.
class BlocksAhead {
 public:
  // Rows by number, or consecutive ones; what is passed in must stay.
  BlocksAhead(const Projection& columns, std::span<const uint64_t> rows, const Context& context)
      : columns_(columns.columns()), rows_(rows), use_(BlockUse::Take), context_(context) {}
  BlocksAhead(const Projection& columns, RowRange range, const Context& context)
      : columns_(columns.columns()), range_(range), use_(BlockUse::Scan), context_(context) {}

  // Before column i is read, in order. Throws what decoding throws.
  void reach(uint64_t i) {
    if (context_.threads != 1 && i == next_) decode_from(i);
  }

 private:
  struct Wanted {
    const BlockColumn* column;
    uint64_t block;
  };
  void decode_from(uint64_t i);
  bool add_blocks_of(const BlockColumn& column, std::vector<Wanted>& wanted) const;

  std::span<const Column* const> columns_;
  std::span<const uint64_t> rows_;
  RowRange range_;
  BlockUse use_;
  const Context& context_;
  uint64_t next_ = 0;                  // the first column that nothing was done for
  std::vector<BlockSlots::Pin> pins_;  // of the columns before
};

}  // namespace heron::inline v0
