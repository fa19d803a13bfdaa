// Cells of a fixed width at a constant stride, in either byte order (but those of 16 bytes):
// integers, floats, keys, all kinds of times, row ids, and bools that take a byte each.
#pragma once

#include "columns/column.h"

namespace heron::inline v0 {

struct FixedCells {
  static constexpr uint64_t kPacked = UINT64_MAX;

  ByteView cells;          // from the cell of row 0 to that of the last row at least, at any place
  ByteView validity = {};  // for the Bitmap rules: at least a bit a row
  NullEncoding nulls = NullEncoding::Never;
  // Bytes from a row's cell to the next row's: kPacked means the width; 0 is one cell for all rows.
  uint64_t stride = kPacked;
  std::endian order = std::endian::little;
  // What read() gives is theirs alone if they are used as places.
  CellUse use = CellUse::AsValues;
};

class FixedColumn final : public Column {
 public:
  FixedColumn(Type type, uint64_t rows, ColumnLabel label, FixedCells cells);

  bool nullable() const noexcept override { return cells_.nulls != NullEncoding::Never; }
  // Both throw Error(Corrupt) for a datetime or datetimeoffset outside the calendar.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;
  std::optional<FlatCells> flat() const override;

 private:
  // Turns cells that lie together into values; validity is what read_bits or take_bits gave.
  void finish(Values& values, const std::byte* cells, const std::byte* validity,
              Arena& arena) const;
  template <class RowNumber>
  void check_times(const Values& values, RowNumber row_number) const;
  bool has_bitmap() const noexcept {
    return cells_.nulls == NullEncoding::Bitmap || cells_.nulls == NullEncoding::BitmapOrNaN;
  }

  FixedCells cells_;
  uint32_t width_;
};

}  // namespace heron::inline v0
