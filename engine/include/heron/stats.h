// Statistics of whole columns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/scalar.h"

namespace heron::inline v0 {

// Statistics of a column, as `stats` prints them. Values are counted, never taken from the file's
// claims.
struct ColumnSummary {
  uint64_t rows = 0;
  uint64_t null_count = 0;
  // Null if there is no value. NaNs are left out, and -0.0 is 0.0. For keys with values, the
  // extremes of these. For lists, vectors and row ids only nulls are counted.
  Scalar min, max;
  Type type;                   // type of min and max
  std::optional<double> sum;   // for numbers and bools
  std::optional<double> mean;  // sum / values
  // The number of distinct values; empty for lists, vectors and row ids. Exact where they need at
  // most kDistinctBytes (a million numbers), texts kDistinctTextBytes, and no more than the
  // column's even share of kDistinctBytesOfAll and of half of the Context's budget; else an
  // estimate with a standard error of kDistinctError. The same on any number of threads.
  std::optional<uint64_t> distinct;
  bool distinct_is_exact = true;
};
inline constexpr uint64_t kDistinctBytes = (uint64_t{16} << 20) - 1;  // before a set doubles
inline constexpr uint64_t kDistinctTextBytes = uint64_t{64} << 20;
inline constexpr uint64_t kDistinctBytesOfAll = uint64_t{1} << 30;
inline constexpr double kDistinctError = 0.0081;  // relative standard error: 1.04 / sqrt(2^14)
// Summarizes the query's columns over its rows, in parallel on the Context's threads.
HERON_EXPORT std::vector<ColumnSummary> summarize(const Query& query, const Context& context = {});

// The number of rows with a value.
struct ValueCount {
  Scalar value;
  uint64_t rows = 0;
};
// The distinct values of a column, null among them, each once, ascending in key order (as in
// find(), any NaN first). For keys their values, if any. Reads the whole column. Throws
// Error(Limit) for more than kCountedValuesLimit, Error(Argument) for lists, vectors and row ids,
// and if the projection has no column i.
inline constexpr uint64_t kCountedValuesLimit = 65'536;
HERON_EXPORT std::vector<ValueCount> count_values(const Projection& columns, uint64_t i,
                                                  const Context& context = {});

}  // namespace heron::inline v0
