// Many files of one schema as one dataset: their tables are concatenated, column by column.
#pragma once

#include <memory>
#include <span>

#include "heron/dataset.h"

namespace heron::inline v0 {

// Implements open() of several paths; at least one file. Reads what schemas need, no rows.
std::shared_ptr<const Dataset> join(std::span<const std::shared_ptr<const Dataset>> files);

// Whether the values of a column are numbered on from file to file, as group numbers are: then they
// differ from those of the fragments.
inline bool counts_on(const Table& table, uint64_t column) noexcept {
  return table.fragments().size() > 1 && table.group_column() == column;
}

}  // namespace heron::inline v0
