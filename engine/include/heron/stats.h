// Statistics of whole columns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/query.h"
#include "heron/scalar.h"

namespace heron::inline v0 {

// Statistics of a column, as `stats` prints them. Values are counted, never taken from the file's
// claims.
struct ColumnSummary {
  uint64_t rows = 0;
  uint64_t null_count = 0;
  // Null if there is no value. NaN is left out, and -0.0 is 0.0. Of keys the values they stand for,
  // if any. Of lists, vectors and row ids only the nulls are counted.
  Scalar min, max;
  Type type;                   // of min and max
  std::optional<double> sum;   // numbers and bool
  std::optional<double> mean;  // sum / values
  // The exact number of distinct values. Empty for lists, vectors and row ids, and if there are too
  // many to count: more than kDistinctLimit, or texts of more than 64 MiB.
  std::optional<uint64_t> distinct;
  bool distinct_is_exact = true;  // false: there are too many
};
inline constexpr uint64_t kDistinctLimit = 1'000'000;
// Of the query's columns over its rows, in parallel on the Context's threads.
std::vector<ColumnSummary> summarize(const Query& query, const Context& context = {});

// The number of rows with a value.
struct ValueCount {
  Scalar value;
  uint64_t rows = 0;
};
// The distinct values of a column, null among them, each once, ascending in key order (as in
// find(), any NaN first). Of keys the values they stand for, if any. Reads the whole column. Throws
// Error(Limit) for more than kCountedValuesLimit, Error(Argument) for lists, vectors and row ids.
inline constexpr uint64_t kCountedValuesLimit = 65'536;
std::vector<ValueCount> count_values(const Projection& columns, uint64_t i,
                                     const Context& context = {});

// The sum of a numeric or bool column without nulls; of floats in float64, always in the same
// order, so that it is the same on every machine. Integers are summed in 128 bits and then rounded.
double sum(const Projection& columns, uint64_t i, const Context& context = {});
// The sums of all columns, each the same as sum() returns. Columns that lie side by side in the
// file are read once.
std::vector<double> sums(const Projection& columns, const Context& context = {});

}  // namespace heron::inline v0
