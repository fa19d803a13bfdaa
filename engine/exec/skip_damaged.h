// Skips damaged rows; the only code that decides what damage does to a call.
#pragma once

#include <algorithm>

#include "bytes/byte_source.h"
#include "heron/query.h"
#include "heron/table.h"
#include "table/blocks.h"
#include "table/internals.h"

namespace heron::inline v0 {

// Calls work(), which reads `rows` rows of a file and has no partial effect if it throws. Returns
// false if they are damaged and `skipped`, which counts such rows, is not null. A file that changes
// is not damaged.
template <class Work>
bool unless_damaged(uint64_t rows, const ByteSource& bytes, SkippedRows* skipped, Work&& work) {
  if (skipped == nullptr) {
    work();
    return true;
  }
  try {
    unless_changed(bytes, work);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Corrupt) throw;
    skipped->add(rows, error);
    return false;
  }
  skipped->found_readable();
  return true;
}

// Returns the end of the rows from `row` on that lie in one block and before `last`.
inline uint64_t end_of_block(uint64_t row, uint64_t last, uint64_t block_rows) noexcept {
  return row + std::min(last - row, block_rows - row % block_rows);
}

// Returns the end of the row's block of these columns in its file, or `last` if that is before.
// Damage loses all rows of a block.
inline uint64_t end_of_block(const Table& table, std::span<const uint64_t> columns, uint64_t row,
                             uint64_t last) {
  const auto fragments = internals(table).fragments();
  const auto after = std::ranges::upper_bound(fragments, row, {}, &Fragment::first_row);
  const auto& [file, first] = *std::prev(after);
  const uint64_t block_rows = block_rows_of(*file, columns);
  return std::min(first + end_of_block(row - first, file->rows(), block_rows), last);
}

// Calls work(rows) for the rows of the range in each block.
template <class Work>
void for_blocks(RowRange range, uint64_t block_rows, Work&& work) {
  for (RowRange rows = range; rows.first < range.last; rows.first = rows.last) {
    rows.last = end_of_block(rows.first, range.last, block_rows);
    work(rows);
  }
}

}  // namespace heron::inline v0
