// The result of group_by(): the keys of groups, and the results of their states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "aggregate/aggregate_state.h"
#include "base/zeroed_array.h"
#include "heron/aggregate.h"
#include "heron/query.h"

namespace heron::inline v0 {

// All groups in the order of their first rows; for each lane, the states of its groups and their
// positions in that order, ascending.
struct OrderedGroups {
  ZeroedArray<uint64_t> first_rows;
  std::vector<const AggregateStates*> states;
  std::vector<ZeroedArray<uint32_t>> positions;
};

// The requested keys, aggregates, order and limit.
struct GroupAnswer {
  const Projection& keys;
  std::span<const Aggregate> aggregates;
  const AggregatePlan& plan;  // the plan of `aggregates`
  std::span<const OrderBy> order = {};
  uint64_t limit = UINT64_MAX;
};

// Returns the first `limit` groups in the requested order, or without one in the order of their
// first rows. If not all groups are returned, only the columns that the order names are computed
// for all groups. Throws what rows_in_order() and take() throw.
RowBatch answer_of(const GroupAnswer& answer, const OrderedGroups& groups, const Context& context);

}  // namespace heron::inline v0
