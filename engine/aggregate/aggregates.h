// Which aggregates apply to values of a type, and their results as numbers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/int128.h"
#include "expression/functions/linear.h"
#include "heron/aggregate.h"
#include "values/cells.h"
#include "values/decimals.h"
#include "values/scalar.h"

namespace heron::inline v0 {

// Why the function does not apply to values of that type, for error texts; empty if it does.
std::string why_not(Aggregate::Function function, const Type& type);

// Throws Error(Argument) for a column that does not exist, a function that lacks the column it
// needs or does not apply to its column's type, and for an invalid quantile; and the column's own
// error if it cannot be read.
void check_functions(const Table& table, std::span<const Aggregate> aggregates);

// Which sums and means of factor * x + offset may be computed from x instead (linear_sums.h).
enum class LinearSumsOf : uint8_t { None, AlwaysFitting, All };

// A query that extended() made, and aggregates of columns of its table: expressions and filters
// become computed columns. An aggregate with a form aggregates the column x of that form, where its
// filter passes. computed_aggregates() throws Error(Argument) for an aggregate with a column and an
// expression and for one that takes no filter, and what with_columns() throws.
struct ComputedAggregates {
  Query query;
  std::vector<Aggregate> aggregates;
  std::vector<std::optional<LinearForm>> forms;  // one for each aggregate
};
ComputedAggregates computed_aggregates(const Query& original, std::span<const Aggregate> aggregates,
                                       LinearSumsOf linear);

// Why the function takes no filter, for error texts; empty if it takes one.
std::string_view why_no_filter(Aggregate::Function function);

// The name that parse_aggregates() gives an aggregate without `as`: "quantile(x, 0.9)".
std::string name_without_as(const Aggregate& aggregate, std::string_view argument);

// Gives each aggregate a name. Throws Error(Argument) if two of the aggregates and key columns of
// groups have the same name.
std::vector<Aggregate> with_names(const Table& table, std::span<const uint64_t> keys,
                                  std::span<const Aggregate> aggregates);

// A result as a number, rounded; 0 for anything else. For benches and tests.
inline double as_double(const Values& results, uint64_t row = 0) {
  if (results.type.is(Type::Int128)) return static_cast<double>(cell_of<Int128>(results, row));
  if (results.type.is(Type::Decimal)) {
    return results.is_null(row) ? 0
                                : as_double(cell_of<Int128>(results, row), results.type.scale());
  }
  return std::visit(
      [](const auto& value) -> double {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
          return static_cast<double>(value);
        return 0;
      },
      scalar_at(results, row));
}

}  // namespace heron::inline v0
