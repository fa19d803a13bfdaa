// Limits on what a few bytes of a file can claim: rows for which nothing is stored, and columns
// that share stored bytes. Checked before all of it is read.
#pragma once

#include <cstdint>
#include <span>

#include "heron/context.h"
#include "heron/table.h"

namespace heron::inline v0 {

// A table that stores nothing for its rows can claim any number of them; more than this are not
// read.
inline constexpr uint64_t kMaxEmptyRows = uint64_t{1} << 32;

// Throws Error(Limit) if `rows` exceeds kMaxEmptyRows and these columns store nothing.
void check_stored(const Table& table, std::span<const uint64_t> columns, uint64_t rows);

// Returns how many bytes of a payload, or rows of a table, an index of a file may describe: those
// that a file of that size holds by DEFLATE's best ratio, but at least 2^24. A few bytes can claim
// any number of more.
uint64_t most_indexed(uint64_t file_bytes) noexcept;

// Called before all rows of these columns are read for one query. Throws Error(Limit) if that would
// decode more than is allowed, or if columns share more bytes than the file's size explains. Reads
// the offsets of the columns' blocks.
void check_whole_read(const Table& table, std::span<const uint64_t> columns,
                      const Context& context);

}  // namespace heron::inline v0
