// Aggregates over many rows: counts, sums, extremes, means.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/query.h"
#include "heron/scalar.h"

namespace heron::inline v0 {

// An integer of 128 bits: high x 2^64 + low.
struct WideInteger {
  int64_t high = 0;
  uint64_t low = 0;
};
std::string to_string(const WideInteger& value);

struct Aggregate {
  enum class Function : uint8_t { Count, Sum, Min, Max, Mean, Distinct };
  Function function = Function::Count;
  // Its number in the table. Of Count: none counts rows; a column counts its values that are not
  // null.
  std::optional<uint64_t> column;
  std::string name;  // as the caller wrote it: "sum(price)"
};

// Parses "count, sum(x), min(x), max(x), mean(x), distinct(x)", in letters of either case; `avg` is
// mean and `count(*)` is count. Throws Error(Argument) with a caret at the mistake; for grouping,
// joins and windows the error names the tools that do them.
std::vector<Aggregate> parse_aggregates(const Table& table, std::string_view text);

// Nulls are left out. Without any value the result is null, except for counts.
struct AggregateValue {
  // count     uint64_t
  // sum       of floats a double, summed in the order of query/sum_order.h by row number, so that
  //           it is the same on any number of threads and any machine, and without a predicate
  //           equals sum(); of integers and bools exact: int64_t where that holds it, else
  //           uint64_t where that does, else WideInteger. A NaN among the values makes it NaN.
  // min, max  as in ColumnSummary
  // mean      double: the sum, rounded, divided by the number of values
  // distinct  uint64_t, exact
  std::variant<Scalar, WideInteger> value;
  // The type of `value`: for min and max the column's type, or that of the values of its keys; null
  // for a WideInteger.
  Type type;
};

// Aggregates over the rows of the query. Reads each column once,
// morsels in parallel on the Context's threads. Without a predicate, counts and extremes of numbers
// come from zone maps alone if all zones have statistics, and distinct counts of one file from its
// sidecar. Throws Error(Argument) for a function that the column's type does not support and for a
// predicate of another table, Error(Limit) for too many distinct values (see ColumnSummary), and
// what reading a column throws.
std::vector<AggregateValue> aggregate(const Query& query, std::span<const Aggregate> wanted,
                                      const Context& context = {});

}  // namespace heron::inline v0
