// Aggregates over many rows: counts, sums, extremes, means, distinct values, quantiles.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/export.h"
#include "heron/query.h"
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
//   min, max  as in ColumnSummary
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
HERON_EXPORT RowBatch aggregate(const Query& query, std::span<const Aggregate> wanted,
                                const Context& context = {});
inline RowBatch aggregate(const Query& query, std::initializer_list<Aggregate> wanted,
                          const Context& context = {}) {
  return aggregate(query, std::span(wanted.begin(), wanted.size()), context);
}

}  // namespace heron::inline v0
