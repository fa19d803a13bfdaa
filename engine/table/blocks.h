// Blocks of equally many rows; the last may be shorter.
#pragma once

#include <algorithm>
#include <span>

#include "bytes/byte_source.h"
#include "cache/block_column.h"
#include "table/internals.h"

namespace heron::inline v0 {

inline uint64_t blocks_of(uint64_t rows, uint64_t block_rows) noexcept {
  return rows / block_rows + (rows % block_rows != 0);
}

// Returns the rows per block of the first of these columns with blocks of its own, else of the
// table.
inline uint64_t block_rows_of(const Table& table, std::span<const uint64_t> columns) {
  for (const uint64_t column : columns) {
    const BlockColumn* blocks = blocks_behind(internals(table).column(column));
    if (blocks != nullptr) return blocks->block_rows();
  }
  return table.block_rows();
}

// Throws Error(Argument) if there is no such block.
inline RowRange block_of(const Table& table, uint64_t block_rows, uint64_t index) {
  const uint64_t blocks = blocks_of(table.rows(), block_rows);
  if (index >= blocks) fail_no_such(table, "block", index, blocks);
  const uint64_t first = index * block_rows;
  return {first, first + std::min(block_rows, table.rows() - first)};
}

}  // namespace heron::inline v0
