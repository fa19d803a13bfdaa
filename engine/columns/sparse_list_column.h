// Vectors: dense rows store every slot, sparse rows only the slots that are not zero, with their
// positions.
//
// If all rows are dense and of one length, the start of a row's items is a product. Otherwise the
// column keeps sums, 8 bytes per row, or 16 if some rows are sparse.
#pragma once

#include "columns/column.h"

namespace heron::inline v0 {

// How rows are stored. Views hold little-endian int32, unaligned, in bytes that never change,
// because they are checked once and then used as positions.
struct SparseCells {
  // The length of every row; 0: `lengths` has one per row.
  uint64_t length = 0;
  ByteView lengths = {};
  // Stored items per row; -1: the row is dense. Empty: every row is dense.
  ByteView counts = {};
  // The positions of the items of sparse rows, row after row.
  ByteView indices = {};
};

class SparseListColumn final : public Column {
 public:
  // `items` are the stored items of all rows, row after row. Rows and `cells.length` are below
  // 2^31. Checks everything but the items, in time that grows with the rows and indices: lengths
  // are not negative, counts are -1 or below their length (an empty row is dense), rows together
  // store exactly items->rows() items and have as many positions as `indices` holds, and those of a
  // row ascend below its length. Throws Error(Corrupt).
  SparseListColumn(Type type, uint64_t rows, ColumnLabel label, const SparseCells& cells,
                   ColumnPtr items, const Context& context);

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;

 private:
  // The offsets at which the items or positions of each row begin, and the end of the last row's.
  struct Starts {
    uint64_t stride = 0;
    std::vector<uint64_t> sums = {};  // rows + 1; empty if each row has `stride`
    uint64_t operator[](uint64_t row) const noexcept {
      return sums.empty() ? row * stride : sums[row];
    }
  };
  template <class RowOf>
  static std::span<const int64_t> list_offsets(uint64_t count, RowOf row_of, const Starts& starts,
                                               Arena& arena);
  bool one_length() const noexcept { return cells_.lengths.bytes == 0; }
  uint64_t stored_items(const Context& context) const;
  void sum_rows(const Context& context);
  void check_positions(const Context& context) const;
  const std::byte* read_lengths(RowRange rows, Arena& arena, const Context& context) const;
  const std::byte* take_lengths(std::span<const uint64_t> rows, Arena& arena,
                                const Context& context) const;
  Values take_items(std::span<const uint64_t> rows, std::span<const int64_t> offsets, Arena& arena,
                    const Context& context) const;
  Values take_positions(std::span<const uint64_t> rows, std::span<const int64_t> offsets,
                        Arena& arena, const Context& context) const;

  SparseCells cells_;
  ColumnPtr items_;
  Starts item_starts_;
  Starts position_starts_;
};

}  // namespace heron::inline v0
