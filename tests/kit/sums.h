// Sums columns as float64, by aggregate().
#pragma once

#include <string>
#include <vector>

#include "aggregate/aggregates.h"

namespace heron {

// Returns the sums; 0 for a column without a value.
inline std::vector<double> sums(const Projection& columns, const Context& context = {}) {
  std::vector<Aggregate> aggregates;
  for (const uint64_t column : columns.indices()) {
    const std::string name = std::to_string(aggregates.size());  // a column may occur twice
    aggregates.push_back({.function = Aggregate::Function::Sum, .column = column, .name = name});
  }
  std::vector<double> all;
  for (const Values& result : aggregate(columns.table(), aggregates, context).columns) {
    all.push_back(as_double(result));
  }
  return all;
}
inline double sum(const Projection& columns, uint64_t i, const Context& context = {}) {
  const uint64_t column = columns.indices()[i];
  return sums(Projection(columns.table(), std::span(&column, 1)), context).front();
}

}  // namespace heron
