// Sums of columns as users ask for them, as float64.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "heron/aggregate.h"

namespace heron::bench {

inline double as_double(const AggregateValue& answer) {
  if (const auto* wide = std::get_if<WideInteger>(&answer.value)) {
    return std::ldexp(static_cast<double>(wide->high), 64) + static_cast<double>(wide->low);
  }
  return std::visit(
      [](const auto& value) -> double {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
          return static_cast<double>(value);
        return 0;
      },
      std::get<Scalar>(answer.value));
}

// Columns of the table by number.
inline std::vector<double> sums(const std::shared_ptr<const Table>& table,
                                std::span<const uint64_t> columns) {
  std::vector<Aggregate> wanted;
  for (const uint64_t column : columns) {
    wanted.push_back({.function = Aggregate::Function::Sum, .column = column});
  }
  std::vector<double> all;
  for (const AggregateValue& answer : aggregate(table, wanted)) all.push_back(as_double(answer));
  return all;
}
inline double sum(const Projection& columns, uint64_t i) {
  return sums(columns.table(), columns.indices().subspan(i, 1)).front();
}

}  // namespace heron::bench
