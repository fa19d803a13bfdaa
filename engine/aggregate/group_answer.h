// The answer to a question for groups: their keys, and the results of their states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "aggregate/aggregate_state.h"
#include "base/zeroed_array.h"
#include "heron/aggregate.h"
#include "heron/query.h"

namespace heron::inline v0 {

// All groups in the order of their first rows, and of each lane the states of its groups and which
// of all they are, ascending.
struct OrderedGroups {
  ZeroedArray<uint64_t> first_rows;
  std::vector<const AggregateStates*> states;
  std::vector<ZeroedArray<uint32_t>> positions;
};

// What of the groups is asked for.
struct GroupAnswer {
  const Projection& keys;
  std::span<const Aggregate> wanted;
  const AggregatePlan& plan;  // of these
  std::span<const OrderBy> order = {};
  uint64_t limit = UINT64_MAX;
};

// The first `limit` groups in the order asked for, else in that of their first rows. For fewer than
// all, only what the order names is computed of all. Throws as rows_in_order() and take().
RowBatch answer_of(const GroupAnswer& asked, const OrderedGroups& groups, const Context& context);

}  // namespace heron::inline v0
