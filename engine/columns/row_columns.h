// Columns out of rows that hold them side by side: packed a cache full at a time and transposed.
#pragma once

#include "columns/row_layout.h"

namespace heron::inline v0 {

// Consecutive rows, or any, as one Values a column, added to `values`. They live in the arena.
void read_rows(const RowLayout& layout, std::span<const uint64_t> columns, RowRange rows,
               Arena& arena, const Context& context, std::vector<Values>& values);
void take_rows(const RowLayout& layout, std::span<const uint64_t> columns,
               std::span<const uint64_t> rows, Arena& arena, const Context& context,
               std::vector<Values>& values);

}  // namespace heron::inline v0
