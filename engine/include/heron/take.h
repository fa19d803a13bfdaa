// Rows by number and consecutive rows, as batches or as a dense matrix of numbers. For these and
// for all other queries:
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
#include "heron/export.h"
#include "heron/table.h"
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
class SkippedRows;  // heron/query.h

// Takes rows. If `skipped` is not null, rows that are damaged are added to it and leave `rows`. If
// columns have blocks of their own, no row of a damaged block can be read. Cost: after damage, each
// of the blocks, or else each row, once more by itself.
HERON_EXPORT void take_readable(const Projection& columns, std::vector<uint64_t>& rows,
                                RowBatch& batch, SkippedRows* skipped,
                                const Context& context = {});

// Reads consecutive rows. Aligned fixed-width cells and texts of a mapped file are not copied.
HERON_EXPORT void read(const Projection& columns, RowRange rows, RowBatch& batch,
                       const Context& context = {});
HERON_EXPORT RowBatch read(const Projection& columns, RowRange rows, const Context& context = {});

// How a null is stored in a matrix.
enum class MatrixNull : uint8_t { NaN, Refuse /* Error(Argument) that names row and column */ };

// How many columns the matrix of these columns has: one for each numeric, bool or key column, and
// one per slot of a vector of such items and of fixed size. The number comes from the file: compare
// it with a limit before allocating. Throws Error(Argument) for columns of other types.
HERON_EXPORT uint64_t matrix_width(const Projection& columns);

// Fills a row-major matrix, rows.size() x matrix_width(columns). Bools are 0 and 1, integers
// rounded to T, keys their stored numbers; slots that are not stored are 0, of keys null. T is
// float or double. Two numbers in braces are a RowRange, as in read(). Uses the Context's threads
// for consecutive rows of mapped cells. Throws Error(Argument) unless `out` has exactly that many
// elements, and for columns of other types.
template <class T>
HERON_EXPORT void matrix(const Projection& columns, std::span<const uint64_t> rows,
                         std::span<T> out, MatrixNull nulls = MatrixNull::NaN,
                         const Context& context = {});
template <class T>
HERON_EXPORT void matrix(const Projection& columns, RowRange rows, std::span<T> out,
                         MatrixNull nulls = MatrixNull::NaN, const Context& context = {});

// Indices in the projection of the integer columns with a value of 2^24 or more in these rows of a
// matrix, which float may have rounded. The matrix has as many rows as its elements fill.
HERON_EXPORT std::vector<uint64_t> rounded_columns(const Projection& columns,
                                                   std::span<const float> matrix);

}  // namespace heron::inline v0
