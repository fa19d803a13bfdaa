// Sums columns by a query, as float64.
#pragma once

#include <span>
#include <vector>

#include "aggregate/aggregates.h"

namespace heron::bench {

// Returns the sums of columns of the table, given by number.
inline std::vector<double> sums(const std::shared_ptr<const Table>& table,
                                std::span<const uint64_t> columns) {
  std::vector<Aggregate> aggregates;
  for (const uint64_t column : columns) {
    aggregates.push_back({.function = Aggregate::Function::Sum, .column = column});
  }
  std::vector<double> all;
  for (const Values& result : aggregate(table, aggregates).columns) {
    all.push_back(as_double(result));
  }
  return all;
}
inline double sum(const Projection& columns, uint64_t i) {
  return sums(columns.table(), columns.indices().subspan(i, 1)).front();
}

}  // namespace heron::bench
