// One number, or one value, of many rows: counts, sums, extremes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heron/predicate.h"
#include "heron/query.h"

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
  // In the table. Of Count nothing: rows; else those in which the column is there.
  std::optional<uint64_t> column;
  std::string name;  // as it was written: "sum(price)"
};

// "count, sum(x), min(x), max(x), mean(x), distinct(x)", in letters of either case; `avg` is mean
// and `count(*)` is count. Throws Error(Argument) with a caret where it is wrong, and says of
// grouping, joining and windows who does them.
std::vector<Aggregate> parse_aggregates(const Table& table, std::string_view text);

// Nulls are left out; but for counts, the answer is null where no value is there.
struct AggregateValue {
  // count     uint64_t
  // sum       of floats a double, added up in the order of query/sum_order.h by place in the table,
  //           so that it is the same on any number of threads and any machine, and without a
  //           condition that of sum(); of integers and bools exact: int64_t where that holds it,
  //           else uint64_t where that does, else WideInteger. NaN that is a value makes it NaN.
  // min, max  as in ColumnSummary
  // mean      double: the sum, rounded, by the number of values
  // distinct  uint64_t, exact
  std::variant<Scalar, WideInteger> value;
  // Of what is in `value`: for min and max the column's, or that of what its keys stand for; null
  // of a WideInteger.
  Type type;
};

// Of all rows of the predicate, or of the table. Reads each column once, units of rows side by side
// on the Context's threads; without a condition, counts and extremes of numbers are told by zones
// where all of them are known, distinct values of one file by its sidecar. Throws Error(Argument)
// for a function that the column's type does not have, and for a predicate of another table, what a
// column that cannot be read throws, and Error(Limit) where there are too many distinct values to
// be counted (ColumnSummary).
std::vector<AggregateValue> aggregate(const std::shared_ptr<const Table>& table,
                                      std::span<const Aggregate> wanted,
                                      const std::optional<Predicate>& where = std::nullopt,
                                      const Context& context = {},
                                      QueryMetrics* metrics = nullptr);

}  // namespace heron::inline v0
