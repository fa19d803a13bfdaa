// Results as columns, and groups as states.
#pragma once

#include <functional>
#include <string>

#include "aggregate/aggregate_state.h"
#include "aggregate/functions/function.h"
#include "base/parallel.h"
#include "rows/resolved_query.h"
#include "values/batch_like.h"
#include "values/values_builder.h"

namespace heron::inline v0 {

// Groups in the order of their first rows, and their states.
struct GroupParts {
  RowBatch keys;
  AggregateStates states;
};
// On the caller's thread.
GroupParts grouped_parts(const SelectedBy& selected, const Projection& keys,
                         const AggregatePlan& plan, const Context& context);

inline Field field_of(std::string name, const Values& values) {
  Field field;
  field.name = std::move(name);
  field.type = values.type;
  field.nullable = values.null_count != 0;
  return field;
}

// Exact sums, int128, as int64 where that holds all of them, else as uint64 where that does.
Values narrowed(const Values& sums, Arena& arena);

// Appends a column of results for each aggregate: append(i, row, builder) adds that of aggregate i.
// Different states may be read on different threads.
template <class Append>
void append_results(std::span<const Aggregate> wanted, const AggregatePlan& plan, RowBatch& batch,
                    Schema& schema, const Context& context, Append append) {
  constexpr uint64_t kFewRows = 4096;
  std::vector<ValuesBuilder> builders;
  for (uint64_t i = 0; i < wanted.size(); ++i) {
    Type type = Type::UInt64;
    if (wanted[i].column) {
      type = function_of(wanted[i].function).type(plan.of(i));
      if (type.is(Type::DateTimeOffset) && plan.of(i).grouped) type = Type::DateTime;
    }
    builders.emplace_back(type).reserve(batch.rows);
  }
  Context threads;
  threads.threads = batch.rows < kFewRows ? 1 : context.threads;
  const uint64_t states = std::max<uint64_t>(plan.states.size(), 1);
  parallel_for(states, threads, [&](uint64_t state, const Context&) {
    for (uint64_t i = 0; i < wanted.size(); ++i) {
      if (plan.state_of[i].value_or(0) != state) continue;
      for (uint64_t row = 0; row < batch.rows; ++row) append(i, row, builders[i]);
    }
  });
  for (uint64_t i = 0; i < wanted.size(); ++i) {
    Values column = builders[i].finish(*batch.memory);
    if (column.type.is(Type::Int128)) column = narrowed(column, *batch.memory);
    schema.push_back(field_of(wanted[i].name, column));
    batch.columns.push_back(std::move(column));
  }
}

// Results of columns known without their states; nullopt: not of that column.
using KnownResult = std::function<std::optional<Scalar>(const Aggregate& one)>;

// The results of states without groups over that many rows, under the names of the aggregates.
RowBatch row_of_results(std::span<const Aggregate> wanted, const AggregatePlan& plan,
                        const AggregateStates& states, uint64_t rows,
                        const KnownResult& known = nullptr);

}  // namespace heron::inline v0
