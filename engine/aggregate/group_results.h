// Results as columns, and groups as states.
#pragma once

#include <functional>
#include <string>

#include "aggregate/aggregate_state.h"
#include "aggregate/functions/function.h"
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

// States, and which of their groups are rows of the results.
struct GroupRows {
  const AggregateStates& states;
  RowsOfGroups groups;
};

// The results of groups as columns, one for each aggregate. The constructor's arguments must
// outlive it.
class GroupResults {
 public:
  // `parts` have each row once, `rows` in all. The columns live in the arena.
  GroupResults(std::span<const Aggregate> wanted, const AggregatePlan& plan,
               std::span<const GroupRows> parts, uint64_t rows, Arena& arena);

  // Computes them in that many steps, which any threads may take.
  uint64_t steps() const noexcept { return states_ * parts_.size(); }
  void step(uint64_t i);
  // After all steps: appends the columns to those of a batch.
  void append_to(RowBatch& batch, Schema& schema);

 private:
  // The results of aggregate i; the cells if its type has a fixed width, else text and bools.
  struct ResultColumn {
    Type type;
    std::optional<ResultCells> cells;
  };
  ValuesBuilder values_of(uint64_t i) const;

  const std::span<const Aggregate> wanted_;
  const AggregatePlan& plan_;
  const std::span<const GroupRows> parts_;
  const uint64_t rows_;
  Arena& arena_;
  const uint64_t states_;
  std::vector<ResultColumn> columns_;
};

// Results of columns known without their states; nullopt: not of that column.
using KnownResult = std::function<std::optional<Scalar>(const Aggregate& one)>;

// The results of states without groups over that many rows, under the names of the aggregates.
RowBatch row_of_results(std::span<const Aggregate> wanted, const AggregatePlan& plan,
                        const AggregateStates& states, uint64_t rows,
                        const KnownResult& known = nullptr);

}  // namespace heron::inline v0
