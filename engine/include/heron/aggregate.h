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
  // The name of its result. Empty in a query: the one that parse_aggregates() gives it, such as
  // "sum(price)".
  std::string name = {};
  double quantile = 0.5;  // of Quantile: from 0, the least, to 1, the greatest
  // In place of a column: the expression that is aggregated, such as "price * qty", of the columns
  // of the query's table (computed.h).
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
// What it parses, for help texts: "count, sum(x), ..".
HERON_EXPORT std::string aggregates_usage();
inline std::vector<Aggregate> parse_aggregates(const Table& table, const char* text) {
  return parse_aggregates(table, text_at(text));
}

// One row: a column for each aggregate, with its name. Nulls are left out, but by first, last and
// count_null. Without any value a result is null, except for counts.
//
//   count     uint64
//   sum       of floats float64, summed in the order of aggregate/sum_order.h by row number, so
//             that it is the same on any number of threads and any machine, and of a column the
//             same with and without a predicate that all rows pass; of integers and bools exact:
//             int64 where that holds it, else uint64 where that does, else int128. A NaN among the
//             values makes it NaN
//   min, max  as in ColumnSummary
//   mean      float64: the sum, rounded, divided by the number of values
//   distinct  uint64, exact. 0.0 and -0.0 are one value, and so are all NaNs. Memory: up to
//             256 MiB, or an eighth of the Context's budget; beyond, values are spilled to an
//             unnamed file in TMPDIR (Error(Write) where that has no room)
//   approx_distinct
//             uint64: the same, estimated in 16 KiB with a standard error of kDistinctError (of
//             three estimates two are within 0.81 %, 997 of 1,000 within 2.5 %); up to a few
//             thousand values closer. HyperLogLog: the same for the same values, in any order. Of
//             bools and of keys with values exact
//   quantile  NaNs are left out. Of integers and floats float64: of n values in order, numbered
//             from 0, the one at quantile x (n - 1), interpolated between its neighbours (NumPy's
//             default, quantile_cont). Of dates, times and durations the least value that at least
//             that part of the values does not exceed (quantile_disc), of a datetimeoffset in UTC.
//             Holds all values
//   variance, stddev
//             float64, of a sample (var_samp, stddev_samp): null for fewer than two values.
//             Integers are taken as float64. Computed of exact sums, so that it is the same on any
//             number of threads; NaN if a value is not finite or its square is beyond float64
//   first, last
//             the value of the first and of the last row, null if that is
//   count_null
//             uint64: the rows whose value is null
//   mode      the most frequent value; of equally frequent ones that whose first row comes first.
//             Holds all distinct values. 0.0 and -0.0 are one value, and so are all NaNs
//   count_if  uint64: the rows for which a bool is true
//   bool_and, bool_or
//             bool: whether all values are true, whether one is
//   any_value the first value that is not null
//
// Results of min, max, mode, any_value, first and last have the column's type, or that of the
// values of its keys; a datetimeoffset among them is in UTC.
//
// Aggregates over the rows of the query. Reads each column once, morsels in parallel on the
// Context's threads. Without a predicate, counts and extremes of numbers come from zone maps alone
// if all zones have statistics, and distinct counts of one file from its sidecar. Throws
// Error(Argument) for a column that does not exist, a function other than Count without one or that
// the column's type does not support, for a predicate of another table, for a quantile that is not
// in 0 .. 1 and if two aggregates have one name, Error(Limit) if distinct values or those of a
// quantile do not fit the Context's memory budget, and what reading a column throws.
HERON_EXPORT RowBatch aggregate(const Query& query, std::span<const Aggregate> wanted,
                                const Context& context = {});
inline RowBatch aggregate(const Query& query, std::initializer_list<Aggregate> wanted,
                          const Context& context = {}) {
  return aggregate(query, std::span(wanted.begin(), wanted.size()), context);
}

}  // namespace heron::inline v0
