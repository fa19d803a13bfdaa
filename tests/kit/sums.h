// The sums of columns as float64, from aggregate().
#pragma once

#include <vector>

#include "base/int128.h"
#include "heron/aggregate.h"

namespace heron {

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
