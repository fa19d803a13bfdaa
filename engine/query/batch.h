// How every call that fills a RowBatch begins and ends.
#pragma once

#include <span>

#include "base/arena.h"
#include "columns/column.h"
#include "heron/query.h"

namespace heron::inline v0 {

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

// Throws Error(Argument) for the first row that the table does not have.
void check_rows(const Table& table, std::span<const uint64_t> rows);
void check_rows(const Table& table, RowRange rows);

}  // namespace heron::inline v0
