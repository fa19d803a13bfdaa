// How every call that fills a RowBatch begins and ends.
#pragma once

#include <algorithm>
#include <span>

#include "base/arena.h"
#include "columns/column.h"
#include "columns/row_layout.h"
#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/row_range.h"
#include "heron/values.h"
#include "values/values_bytes.h"

namespace heron::inline v0 {

// Up to so many rows, all cells of all columns are asked for before the first is used: their misses
// overlap. Above, each column overlaps enough of its own.
inline constexpr uint64_t kFewRows = 16;

// Empties the batch for rows of these columns. Its memory is used again if it is nobody else's.
inline Arena& begin_batch(RowBatch& batch, const Projection& columns, const Context& context) {
  batch.rows = 0;
  batch.columns.clear();
  batch.columns.reserve(columns.size());
  if (batch.schema != columns.schema()) batch.schema = columns.schema();
  const auto& source = columns.table()->bytes();
  if (batch.source != source) batch.source = source;
  if (batch.memory == nullptr || batch.memory.use_count() > 1) {
    batch.memory = std::make_shared<Arena>(context.memory);
  } else {
    batch.memory->reset();
  }
  return *batch.memory;
}

// The layout by which rows of these columns are walked; null: one column after the other.
inline const RowLayout* row_layout(const Projection& columns) noexcept {
  return columns.size() > 1 ? columns.table()->row_layout() : nullptr;
}

// Before rows that were read are given as an answer: throws Error(Changed) if the file has changed.
// The system call that tells costs more than fetching a few rows.
inline void check_answer(const ByteSource& bytes, uint64_t rows) {
  rows <= kFewRows ? bytes.check_recently() : bytes.check_unchanged();
}

// Whether there is a column of which nothing can be read.
inline bool any_unreadable(const Projection& columns) noexcept {
  return std::any_of(columns.columns().begin(), columns.columns().end(),
                     [](const Column* column) { return column->unreadable() != nullptr; });
}

// Throws Error(Argument) for the first row that the table does not have.
void check_rows(const Table& table, std::span<const uint64_t> rows);
void check_rows(const Table& table, RowRange rows);

}  // namespace heron::inline v0
