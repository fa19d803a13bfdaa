// Transposes cells from row by row to column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heron::inline v0 {

// How many bytes are read behind a cell of a row, and written behind the last cell of a column.
inline constexpr uint64_t kTransposeSlack = 16;

// Copies the cell of column c in row r, `width` bytes (1, 2, 4 or 8) at rows + r x stride + c x
// width, to cell first + r of columns[c]. kTransposeSlack bytes must be readable from the start of
// every row, and as many writable behind the last cell in every column.
void transpose(const std::byte* rows, uint64_t stride, uint64_t count, uint32_t width,
               std::span<std::byte* const> columns, uint64_t first = 0);

}  // namespace heron::inline v0
