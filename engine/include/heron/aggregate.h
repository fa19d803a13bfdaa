// Aggregates over all rows of a query or over groups of them (counts, sums, extremes, means,
// distinct values, quantiles), and statistics of whole columns.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct Aggregate {
  enum class Function : uint8_t {
    Count,
    Sum,
    Min,
    Max,
    Mean,
    Distinct,
    ApproxDistinct,
    Quantile,
    Variance,
    Stddev,
    First,
    Last,
    CountNull,
    Mode,
    CountIf,
    AnyValue,
    BoolAnd,
    BoolOr
  };
  Function function = Function::Count;
  // The column's number in the table. For Count without an expression: nullopt counts rows; a
  // column counts its values that are not null.
  std::optional<uint64_t> column = std::nullopt;
  // The name of the result column. Empty in a query: the name that parse_aggregates() would give
  // it, such as "sum(price)".
  std::string name = {};
  double quantile = 0.5;  // for Quantile: from 0, the minimum, to 1, the maximum
  // The expression to aggregate, such as "price * qty", over the columns of the query's table
  // (computed.h); replaces `column`.
  std::string expression = {};
  // A predicate: only the rows that pass it are aggregated. Not for First and Last.
  std::string filter = {};
};

// Parses "count, sum(x), min(x), max(x), mean(x), distinct(x), approx_distinct(x), quantile(x,
// 0.9), median(x), variance(x), stddev(x), first(x), last(x), count_null(x), mode(x), count_if(x),
// any_value(x), bool_and(x), bool_or(x)", in letters of either case; `avg` is mean, `var_samp`
// variance, `stddev_samp` stddev, `count(*)` is count, `count(distinct x)` is distinct(x) and
// `median(x)` is quantile(x, 0.5). x is a column or an expression: "sum(price * qty)".
// "sum(price) filter (where qty > 0)" aggregates the rows that pass the predicate. "sum(price) as
// total" has the name behind `as`, which stands in backticks if it is more than one word; every
// other aggregate has its own text as name. Throws Error(Argument) with a caret at the mistake,
// such as a name that occurs twice; for grouping, joins and windows the error names the tools that
// do them.
HERON_EXPORT std::vector<Aggregate> parse_aggregates(const Table& table, std::string_view text);
// The functions that parse_aggregates() knows, for help texts: "count, sum(x), ..".
HERON_EXPORT std::string aggregates_usage();
inline std::vector<Aggregate> parse_aggregates(const Table& table, const char* text) {
  return parse_aggregates(table, text_at(text));
}

// Returns one row: a column for each aggregate, with its name. Nulls are ignored, except by first,
// last and count_null. Without any value a result is null, except for counts.
//
//   count     uint64
//   sum       floats: float64, added in the order of aggregate/sum_order.h by row number, so that
//             the sum is the same on any number of threads and any machine, and that of a column
//             the same with and without a predicate that all rows pass; a NaN makes it NaN.
//             Integers and bools: exact, int64 if that holds the sum, else uint64 if that does,
//             else int128
//   min, max  as in ColumnStats
//   mean      float64: the sum, rounded, divided by the number of values
//   distinct  uint64, exact. 0.0 and -0.0 are one value, and so are all NaNs. Memory: up to
//             256 MiB, or an eighth of the Context's budget; beyond, values are spilled to an
//             unnamed file in TMPDIR (Error(Write) where that has no room)
//   approx_distinct
//             uint64: distinct, estimated by HyperLogLog in 16 KiB with a standard error of
//             kDistinctError (two of three estimates are within 0.81 %, 997 of 1,000 within 2.5 %);
//             closer up to a few thousand values. The order of the values does not matter. Exact
//             for bools and for keys with values
//   quantile  NaNs are left out. Integers and floats: float64; of n values in order, numbered from
//             0, the one at quantile x (n - 1), interpolated between its neighbours (NumPy's
//             default, quantile_cont). Dates, times and durations: the least value that at least
//             this share of the values does not exceed (quantile_disc); a datetimeoffset in UTC.
//             Holds all values
//   variance, stddev
//             float64, of a sample (var_samp, stddev_samp): null for fewer than two values.
//             Integers are converted to float64. Computed from exact sums: the same on any number
//             of threads; NaN if a value is not finite or its square is beyond float64
//   first, last
//             the value of the first and of the last row, which may be null
//   count_null
//             uint64: the number of null values
//   mode      the most frequent value; among equally frequent ones the one that occurs first.
//             Holds all distinct values. 0.0 and -0.0 are one value, and so are all NaNs
//   count_if  uint64: the number of rows whose bool is true
//   bool_and, bool_or
//             bool: whether all values are true; whether at least one is
//   any_value the first value that is not null
//
// Min, max, mode, any_value, first and last have the column's type, or the type of its key values;
// a datetimeoffset is in UTC.
//
// Aggregates over the rows of the query. Reads each column once, morsels in parallel on the
// Context's threads. Without a predicate, counts and extremes of numbers come from zone maps alone
// if all zones have statistics, and distinct counts of one file from its sidecar. Throws
// Error(Argument) for a column that does not exist, a function other than Count without a column, a
// function that the column's type does not support, a predicate of another table, a quantile that
// is not in 0 .. 1 and two aggregates of one name; Error(Limit) if distinct values or those of a
// quantile do not fit the Context's memory budget; and what reading a column throws.
HERON_EXPORT RowBatch aggregate(const Query& query, std::span<const Aggregate> aggregates,
                                const Context& context = {});
inline RowBatch aggregate(const Query& query, std::initializer_list<Aggregate> aggregates,
                          const Context& context = {}) {
  return aggregate(query, std::span(aggregates.begin(), aggregates.size()), context);
}

// Returns one row for each group of rows with equal values in the query's `by` columns: those
// values, then the aggregates, under their names, which `order` may name. Null is a value of its
// own, as is NaN; 0.0 and -0.0 are one, shown as 0.0. Without `order`, groups are in the order of
// their first rows.
//
// The result is the same on any number of threads: sums of floats within a group are exact and
// rounded once, whatever the order of rows. Sums of integers are exact: int64 where that holds all
// of them, else uint64 where that does, else int128. Distinct values of a group are counted
// exactly, and the values of quantiles are held, as far as memory allows; an estimate of distinct
// values takes up to 16 KiB a group. Keys with values are grouped by these.
//
// Reads each column once, on the Context's threads. Memory grows with the groups and is charged to
// the Context's budget: Error(Limit) if that is exhausted. Throws Error(Argument) for key columns
// of lists, vectors and row ids and if two columns of the result have one name, and what
// aggregate() throws.
HERON_EXPORT RowBatch group_by(const Query& query, std::span<const Aggregate> aggregates,
                               const Context& context = {});
inline RowBatch group_by(const Query& query, std::initializer_list<Aggregate> aggregates,
                         const Context& context = {}) {
  return group_by(query, std::span(aggregates.begin(), aggregates.size()), context);
}

// Statistics of a column, as `stats` prints them. Values are counted, never taken from the file's
// claims.
struct ColumnStats {
  uint64_t rows = 0;
  uint64_t null_count = 0;
  // Null if there is no value. NaNs are left out, and -0.0 is 0.0. For keys with values, the
  // extremes of these. For lists, vectors and row ids only nulls are counted.
  Scalar min, max;
  Type type;                   // type of min and max
  std::optional<double> sum;   // for numbers that are no decimals, and bools
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
// Returns the statistics of the query's columns over its rows. Reads columns in parallel on the
// Context's threads.
HERON_EXPORT std::vector<ColumnStats> stats(const Query& query, const Context& context = {});

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
