// What a few bytes of a file can claim without end: rows that nothing is stored for, and columns
// that share what is stored. Asked before all of it is walked through.
#pragma once

#include <span>

#include "heron/dataset.h"

namespace heron::inline v0 {

// A table that stores nothing for its rows can claim any number of them; of more than these it is
// not walked.
inline constexpr uint64_t kMostEmptyRows = uint64_t{1} << 32;

// Throws Error(Limit) if so many rows of the table's columns by these numbers are such.
void check_stored(const Table& table, std::span<const uint64_t> columns, uint64_t rows);

// Before all rows of these columns are read for one question. Throws Error(Limit) where that would
// decode more than is allowed, or where columns that share bytes make more of them than the file's
// size explains. Reads where the blocks of columns are.
void check_whole_read(const Table& table, std::span<const uint64_t> columns,
                      const Context& context);

}  // namespace heron::inline v0
