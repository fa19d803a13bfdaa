// Vectors: rows of slots of which some store every slot, dense, and others, sparse, only those that
// are not zero, with their positions.
#pragma once

#include "columns/column.h"

namespace heron::inline v0 {

// How a row is stored. Views hold little-endian int32 at any place.
struct SparseCells {
  // Every row has this length; 0: `lengths` has one a row.
  uint64_t length = 0;
  ByteView lengths = {};
  // A row's stored items, or -1: as many as its length. No bytes: every row is dense.
  ByteView counts = {};
  // Where the items of sparse rows go, all rows one after the other.
  ByteView indices = {};
};

class SparseListColumn final : public Column {
 public:
  // `items` are those that rows store, all one after the other. Checks, in time that grows with the
  // rows of this column unless all are dense and of one length: lengths are not negative, counts
  // are -1 or below their length (but an empty row is dense), and rows together store exactly
  // items->rows() items and as many positions as there are. Throws Error(Corrupt). Positions are
  // checked when read.
  SparseListColumn(Type type, uint64_t rows, ColumnLabel label, const SparseCells& cells,
                   ColumnPtr items, const Context& context);

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;

 private:
  SparseCells cells_;
  ColumnPtr items_;
};

}  // namespace heron::inline v0
