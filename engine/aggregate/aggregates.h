// Which aggregates apply to values of a type, and their results as numbers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/int128.h"
#include "heron/aggregate.h"

namespace heron::inline v0 {

// Why the function does not apply to values of that type, for error texts; empty if it does.
std::string why_not(Aggregate::Function function, const Type& type);

// Throws Error(Argument) for a column that does not exist or is missing, a function that does not
// apply to its column's type and for an invalid quantile, and the column's own error if it cannot
// be read.
void check_functions(const Table& table, std::span<const Aggregate> wanted);

// The aggregates with a name each. Throws Error(Argument) if two of these columns, which are the
// keys of groups, and the aggregates have one name.
std::vector<Aggregate> with_names(const Table& table, std::span<const uint64_t> keys,
                                  std::span<const Aggregate> wanted);

// A number, rounded; 0 for anything else. For benches and tests.
inline double as_double(const AggregateValue& answer) {
  if (const auto* wide = std::get_if<WideInteger>(&answer.value)) {
    return static_cast<double>(static_cast<Int128>(wide->high) * (Int128{1} << 64) + wide->low);
  }
  return std::visit(
      [](const auto& value) -> double {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
          return static_cast<double>(value);
        return 0;
      },
      std::get<Scalar>(answer.value));
}

}  // namespace heron::inline v0
