// Runs of equally many rows, the last perhaps shorter.
#pragma once

#include <algorithm>

#include "bytes/byte_source.h"
#include "heron/dataset.h"

namespace heron::inline v0 {

inline uint64_t blocks_of(uint64_t rows, uint64_t block_rows) noexcept {
  return rows / block_rows + (rows % block_rows != 0);
}

// Throws Error(Argument) if there is no such block.
inline RowRange block_of(const Table& table, uint64_t block_rows, uint64_t index) {
  const uint64_t blocks = blocks_of(table.rows(), block_rows);
  if (index >= blocks) {
    fail(ErrorKind::Argument, table.bytes()->name(), "no block ", index, " in table \"",
         table.name(), "\", which has ", blocks);
  }
  const uint64_t first = index * block_rows;
  return {first, first + std::min(block_rows, table.rows() - first)};
}

}  // namespace heron::inline v0
