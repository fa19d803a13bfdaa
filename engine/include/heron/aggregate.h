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

// "count, sum(x), min(x), max(x), mean(x), distinct(x)". Throws Error(Argument) with a caret where
// it is wrong, and says of grouping, joining and windows who does them.
std::vector<Aggregate> parse_aggregates(const Table& table, std::string_view text);

// Missing values are left out; the answer is missing where no value was there. A float sum is of
// float64 in the order of query/sum_order.h, by place in the table, so that it is the same on any
// number of threads and any machine; an integer sum is exact. NaN that is a value makes sums and
// means NaN and is no extreme. Min and max are of the column's own type (type of the answer); means
// float64; distinct values are counted up to kDistinctLimit.
struct AggregateValue {
  std::variant<Scalar, WideInteger> value;
  Type type;             // of `value`: int64 or uint64 of counts; null of a WideInteger
  bool is_exact = true;  // false: there are more distinct values than that
};

// Of all rows of the predicate, or of the table. Reads each column once, zones side by side on the
// Context's threads; without a predicate zones that are known tell extremes and counts alone.
std::vector<AggregateValue> aggregate(const std::shared_ptr<const Table>& table,
                                      std::span<const Aggregate> wanted,
                                      const std::optional<Predicate>& where = std::nullopt,
                                      const Context& context = {},
                                      QueryCounters* counters = nullptr);

}  // namespace heron::inline v0
