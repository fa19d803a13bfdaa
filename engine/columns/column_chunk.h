// Consecutive rows of a column in the form that is cheapest to read.
#pragma once

#include <algorithm>
#include <optional>

#include "columns/column.h"
#include "values/byte_order.h"

namespace heron::inline v0 {

// Consecutive aligned cells, in the machine's byte order except swapped codes. They are not
// converted to values: nulls and codes are as stored.
struct CellSpan {
  // The type of a cell: that of the column's values or, for codes, uint8, uint16, uint32 or bool.
  // Never text, list, vector or null; bool means bits.
  Type type;
  uint64_t rows = 0;
  const std::byte* cells = nullptr;
  NullEncoding nulls = NullEncoding::Never;  // any but OffsetBit
  const std::byte* validity = nullptr;       // with a bitmap: bit i belongs to row i; else null
  // The cells are codes into it, unchecked; null: they are values. For keys with values the cells
  // are the stored numbers and this is null.
  const Dictionary* dictionary = nullptr;
  // For codes: the bytes of each are in the other order, and they may be unaligned.
  bool swapped = false;

  // Returns whether a cell by itself can be null.
  bool can_encode_null() const noexcept {
    return nulls != NullEncoding::Never && nulls != NullEncoding::Bitmap;
  }
};

// Calls work(cells, first row, rows) with cells in the machine's byte order: all at once or, if
// they are swapped, some thousand at a time, in order.
template <class Work>
void for_native_cells(const CellSpan& span, Work work) {
  if (!span.swapped) return work(span.cells, uint64_t{0}, span.rows);
  constexpr uint64_t kRowsAtOnce = 4096;
  const uint32_t width = span.type.width();
  alignas(64) std::byte native[kRowsAtOnce * sizeof(uint32_t)];
  for (uint64_t first = 0; first < span.rows; first += kRowsAtOnce) {
    const uint64_t rows = std::min(kRowsAtOnce, span.rows - first);
    swap_cells(span.cells + first * width, rows, width, native);
    work(native, first, rows);
  }
}

// Cells as stored or, for columns of other kinds, values. Lives as long as the arena it was read
// with.
struct ColumnChunk {
  RowRange rows;  // row numbers in the column
  std::optional<CellSpan> cells;
  Values values;       // used if there are no cells
  uint64_t bytes = 0;  // stored bytes that were read for the chunk
  // No code or stored number of the chunk is larger. Code that has read all of them sets it.
  std::optional<uint64_t> largest_code = std::nullopt;
};

// A chunk's cells, or its values as cells if they are bools or of a fixed width.
inline CellSpan cells_of(const ColumnChunk& chunk) {
  if (chunk.cells) return *chunk.cells;
  const Values& values = chunk.values;
  const auto nulls = values.validity.data ? NullEncoding::Bitmap : NullEncoding::Never;
  return {values.type, values.rows, values.data.data, nulls, values.validity.data};
}

// The type of codes into a dictionary.
inline Type code_type(const FlatCells& flat) {
  if (flat.kind == FlatCells::Kind::Bits) return Type::Bool;
  return flat.cell_bytes == 1 ? Type::UInt8 : flat.cell_bytes == 2 ? Type::UInt16 : Type::UInt32;
}

}  // namespace heron::inline v0
