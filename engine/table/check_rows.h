// Row numbers that callers give, checked before any work.
#pragma once

#include <cstdint>
#include <span>

#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Throws Error(Argument) for the first row that is out of range.
void check_rows(const Table& table, std::span<const uint64_t> rows);
void check_rows(const Table& table, RowRange rows);

}  // namespace heron::inline v0
