// The sums of columns as float64, from aggregate().
#pragma once

#include <vector>

#include "aggregate/aggregates.h"

namespace heron {

// 0 without a value.
inline std::vector<double> sums(const Projection& columns, const Context& context = {}) {
  std::vector<Aggregate> wanted;
  for (const uint64_t column : columns.indices()) {
    wanted.push_back({.function = Aggregate::Function::Sum, .column = column});
  }
  std::vector<double> all;
  for (const auto& answer : aggregate(columns.table(), wanted, context)) {
    all.push_back(as_double(answer));
  }
  return all;
}
inline double sum(const Projection& columns, uint64_t i, const Context& context = {}) {
  const uint64_t column = columns.indices()[i];
  return sums(Projection(columns.table(), std::span(&column, 1)), context).front();
}

}  // namespace heron
