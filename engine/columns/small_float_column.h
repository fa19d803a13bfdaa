// Cells of 16 or 8 bits that are floats, at a constant stride, in either byte order: they are read
// as float32, and always converted into memory of their own.
#pragma once

#include "columns/column.h"
#include "values/small_floats.h"

namespace heron::inline v0 {

struct SmallFloatCells {
  static constexpr uint64_t kPacked = UINT64_MAX;

  SmallFloat kind = SmallFloat::Half;
  ByteView cells;          // from row 0 at least through the last row; may be unaligned
  ByteView validity = {};  // at least a bit per row, if not empty; else no row is null
  // Bytes from a row's cell to the next row's: kPacked means the width; 0 means one cell for all
  // rows.
  uint64_t stride = kPacked;
  std::endian order = std::endian::little;
};

class SmallFloatColumn final : public Column {
 public:
  SmallFloatColumn(uint64_t rows, ColumnLabel label, SmallFloatCells cells);

  bool nullable() const noexcept override { return cells_.validity.bytes != 0; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  Values take_vectors(std::span<const uint64_t> rows, uint64_t slots, Arena& arena,
                      const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;

 private:
  // Makes values of packed cells in the machine's byte order.
  Values widen(const std::byte* cells, uint64_t rows, Arena& arena) const;

  SmallFloatCells cells_;
  uint32_t width_;
};

}  // namespace heron::inline v0
