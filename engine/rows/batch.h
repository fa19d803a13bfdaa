// The common beginning and end of every call that fills a RowBatch.
#pragma once

#include <algorithm>
#include <span>

#include "base/arena.h"
#include "columns/column.h"
#include "columns/prefetch.h"
#include "heron/context.h"
#include "heron/values.h"
#include "table/internals.h"
#include "values/values_bytes.h"

namespace heron::inline v0 {

// Up to this many rows, all cells of all columns are prefetched before the first is used, so that
// their misses overlap. With more rows, the misses of each column overlap by themselves.
inline constexpr uint64_t kMaxSmallBatch = 16;

// Empties the batch for rows of these columns. Reuses its memory if no one else holds it.
inline Arena& begin_batch(RowBatch& batch, const Projection& columns, const Context& context) {
  const Projection::Internals& parts = internals(columns);
  batch.rows = 0;
  batch.columns.clear();
  batch.columns.reserve(parts.columns().size());
  if (batch.schema != parts.schema()) batch.schema = parts.schema();
  const auto& source = internals(*parts.table()).bytes();
  if (batch.source != source) batch.source = source;
  if (batch.memory == nullptr || batch.memory.use_count() > 1) {
    batch.memory = std::make_shared<Arena>(context.memory);
  } else {
    batch.memory->reset();
  }
  return *batch.memory;
}

// Call it before returning rows that were read: throws Error(Changed) if the file has changed. The
// system call that finds out costs more than fetching a few rows.
inline void check_answer(const ByteSource& bytes, uint64_t rows) {
  rows <= kMaxSmallBatch ? bytes.check_recently() : bytes.check_unchanged();
}

class Readahead;

// Reads rows that are in range, as take() or, if the list is empty, read() does. Prefetches nothing
// if `readahead` is given, which has prefetched the rows as one of its items.
void read_rows(const Projection& columns, const RowsToRead& rows, RowBatch& batch,
               const Context& context, const Readahead* readahead = nullptr);

// Returns whether any column cannot be read at all.
inline bool any_unreadable(const Projection& columns) noexcept {
  return std::any_of(internals(columns).columns().begin(), internals(columns).columns().end(),
                     [](const Column* column) { return column->unreadable() != nullptr; });
}

}  // namespace heron::inline v0
