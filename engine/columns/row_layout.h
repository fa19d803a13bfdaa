// A table whose columns lie side by side in rows: what a question about several columns walks row
// by row, not column by column.
#pragma once

#include <bit>

#include "columns/column.h"

namespace heron::inline v0 {

// Cells of one type; the cell of column c in row r is at byte r x row_bytes + c x width of `rows`.
// No value is missing. Every cell of every row is inside the source.
struct RowLayout {
  Type type;  // bool: a byte each, not 0
  ByteView rows;
  uint64_t row_bytes = 0;
  std::endian order = std::endian::little;
};

}  // namespace heron::inline v0
