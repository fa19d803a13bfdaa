// Columns of tables that are stored row by row: packed by cache-sized tiles and transposed.
#pragma once

#include "columns/row_layout.h"

namespace heron::inline v0 {

// Reads consecutive rows, or takes any, and adds one Values per column to `values`. They live in
// the arena.
void read_rows(const RowLayout& layout, std::span<const uint64_t> columns, RowRange rows,
               Arena& arena, const Context& context, std::vector<Values>& values);
void take_rows(const RowLayout& layout, std::span<const uint64_t> columns,
               std::span<const uint64_t> rows, Arena& arena, const Context& context,
               std::vector<Values>& values);

}  // namespace heron::inline v0
