// Many files of one schema as one dataset: their tables one behind the other, column by column.
#pragma once

#include <memory>
#include <span>

#include "heron/dataset.h"

namespace heron::inline v0 {

// As open() of several paths says; at least one file. Reads what schemas need, no rows.
std::shared_ptr<const Dataset> join(std::span<const std::shared_ptr<const Dataset>> files);

// Whether a column of a table of many files counts on from file to file, as that of the groups
// does: then its values are not those that the fragments have.
inline bool counts_on(const Table& table, uint64_t column) noexcept {
  return table.fragments().size() > 1 && table.group_column() == column;
}

}  // namespace heron::inline v0
