// From rows to columns: cells that lie row by row, written column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heron::inline v0 {

// How far behind a cell of a row memory is read, and behind the last cell of a column written.
inline constexpr uint64_t kTransposeSlack = 16;

// Copies the cell of column c in row r, `width` bytes (1, 2, 4 or 8) at rows + r x stride + c x
// width, to be cell first + r of columns[c]. From the start of every row, kTransposeSlack bytes can
// be read; behind the last cell in every column, as many can be written.
void transpose(const std::byte* rows, uint64_t stride, uint64_t count, uint32_t width,
               std::span<std::byte* const> columns, uint64_t first = 0);

}  // namespace heron::inline v0
