// Makes columns of results, and states of groups.
#pragma once

#include <functional>
#include <string>

#include "aggregate/aggregate_state.h"
#include "aggregate/functions/function.h"
#include "exec/resolved_query.h"
#include "values/batch_like.h"
#include "values/values_builder.h"

namespace heron::inline v0 {

// Groups in the order of their first rows, and their states.
struct GroupParts {
  RowBatch keys;
  AggregateStates states;
};
// Groups the selected rows on the caller's thread.
GroupParts grouped_parts(const SelectedBy& selected, const Projection& keys,
                         const AggregatePlan& plan, const Context& context);

inline Field field_of(std::string name, const Values& values) {
  Field field;
  field.name = std::move(name);
  field.type = values.type;
  field.nullable = values.null_count != 0;
  return field;
}

// Narrows exact sums from int128 to int64 if that holds all of them, else to uint64 if that does.
Values narrowed(const Values& sums, Arena& arena);

// The states of a part, and the groups of them that are rows of the results.
struct GroupRows {
  const AggregateStates& states;
  RowsOfGroups groups;
};

// The results of groups as columns, one for each aggregate. The constructor's arguments must
// outlive it.
class GroupResults {
 public:
  // Each of the `rows` rows is in exactly one of the `parts`. The columns live in the arena.
  GroupResults(std::span<const Aggregate> aggregates, const AggregatePlan& plan,
               std::span<const GroupRows> parts, uint64_t rows, Arena& arena);

  // step() computes the results in steps() steps, which any threads may take.
  uint64_t steps() const noexcept { return states_ * parts_.size(); }
  void step(uint64_t i);
  // After all steps: appends the columns to those of a batch.
  void append_to(RowBatch& batch, Schema& schema);

 private:
  // The results of aggregate i, in `cells` if its type has a fixed width; else they are texts or
  // bools.
  struct ResultColumn {
    Type type;
    std::optional<ResultCells> cells;
  };
  ValuesBuilder values_of(uint64_t i) const;

  const std::span<const Aggregate> aggregates_;
  const AggregatePlan& plan_;
  const std::span<const GroupRows> parts_;
  const uint64_t rows_;
  Arena& arena_;
  const uint64_t states_;
  std::vector<ResultColumn> columns_;
};

// Returns a result that is known without states; nullopt if it is not known for the column.
using KnownResult = std::function<std::optional<Scalar>(const Aggregate& one)>;

// The results of states without groups over `rows` rows, under the names of the aggregates.
RowBatch row_of_results(std::span<const Aggregate> aggregates, const AggregatePlan& plan,
                        const AggregateStates& states, uint64_t rows,
                        const KnownResult& known = nullptr);

}  // namespace heron::inline v0
