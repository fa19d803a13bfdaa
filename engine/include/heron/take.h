// Rows by number and consecutive rows, as batches. For these and for all other queries:
// - every call is const on what it reads and thread-safe;
// - rows are numbered from 0; a row number out of range is Error(Argument) before any work;
// - damage in what is read is Error(Corrupt); a file that changes meanwhile is Error(Changed), and
//   no answer contains bytes of a lost page;
// - a query that reads all rows, and would decode more than OpenOptions::max_decode for that, is
//   Error(Limit) before any work;
// - a batch that is passed in has its memory reused if no other copy of it exists.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/export.h"
#include "heron/row_range.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Takes rows by number: any order, repeats allowed. Cost: the cells of those rows, all fetched at
// once; from 16,384 rows on, columns are taken on the Context's threads.
HERON_EXPORT void take(const Projection& columns, std::span<const uint64_t> rows, RowBatch& batch,
                       const Context& context = {});
HERON_EXPORT RowBatch take(const Projection& columns, std::span<const uint64_t> rows,
                           const Context& context = {});
inline void take(const Projection& columns, std::initializer_list<uint64_t> rows, RowBatch& batch,
                 const Context& context = {}) {
  take(columns, std::span(rows.begin(), rows.size()), batch, context);
}
inline RowBatch take(const Projection& columns, std::initializer_list<uint64_t> rows,
                     const Context& context = {}) {
  return take(columns, std::span(rows.begin(), rows.size()), context);
}
// Takes rows; if the Context skips damage, `rows` becomes those that could be read. If columns have
// blocks of their own, no row of a damaged block can be read. Cost: after damage, each of the
// blocks, or else each row, once more by itself.
HERON_EXPORT void take_readable(const Projection& columns, std::vector<uint64_t>& rows,
                                RowBatch& batch, const Context& context = {});

// Reads consecutive rows. Aligned fixed-width cells and texts of a mapped file are not copied.
HERON_EXPORT void read(const Projection& columns, RowRange rows, RowBatch& batch,
                       const Context& context = {});
HERON_EXPORT RowBatch read(const Projection& columns, RowRange rows, const Context& context = {});

}  // namespace heron::inline v0
