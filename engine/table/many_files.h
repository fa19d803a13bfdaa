// Many files of one schema as one dataset: their tables are concatenated, column by column.
#pragma once

#include <memory>
#include <span>

#include "heron/file.h"
#include "heron/table.h"

namespace heron::inline v0 {

// Implements open() of several paths; at least one file. Reads what schemas need, no rows.
std::shared_ptr<const File> join(std::span<const std::shared_ptr<const File>> files);

// Returns whether a column of a table of many files must be read from the whole table, because its
// values differ from those of the files: group numbers continue from file to file, and keys must
// have the same values in all files, which reading checks.
bool spans_files(const Table& table, uint64_t column);

}  // namespace heron::inline v0
