// Rows as a dense matrix of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/export.h"
#include "heron/row_range.h"

namespace heron::inline v0 {

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
