// Cells of a fixed width at a constant stride, in either byte order (except those of 16 bytes):
// integers, floats, keys, all kinds of times, row ids, and bools of a byte each.
#pragma once

#include "columns/column.h"

namespace heron::inline v0 {

struct FixedCells {
  static constexpr uint64_t kPacked = UINT64_MAX;

  ByteView cells;          // from row 0 at least through the last row; may be unaligned
  ByteView validity = {};  // for the Bitmap encodings: at least a bit per row
  NullEncoding nulls = NullEncoding::Never;
  // Bytes from a row's cell to the next row's: kPacked means the width; 0 means one cell for all
  // rows.
  uint64_t stride = kPacked;
  std::endian order = std::endian::little;
  // If AsIndices, read() returns copies of bytes that may change.
  CellUse use = CellUse::AsValues;
};

class FixedColumn final : public Column {
 public:
  FixedColumn(Type type, uint64_t rows, ColumnLabel label, FixedCells cells);

  bool nullable() const noexcept override { return cells_.nulls != NullEncoding::Never; }
  // Both throw Error(Corrupt) for a datetime or datetimeoffset outside the calendar.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  Values take_vectors(std::span<const uint64_t> rows, uint64_t slots, Arena& arena,
                      const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;
  std::optional<FlatCells> flat() const override;

 private:
  // Makes values of consecutive cells; validity comes from read_bits or take_bits.
  void finish(Values& values, const std::byte* cells, const std::byte* validity,
              Arena& arena) const;
  template <class RowNumber>
  void check_times(const Values& values, RowNumber row_number) const;

  FixedCells cells_;
  uint32_t width_;
};

}  // namespace heron::inline v0
