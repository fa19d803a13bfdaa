#include "aggregate/group_answer.h"

#include <algorithm>
#include <optional>

#include "aggregate/group_results.h"
#include "base/parallel.h"
#include "heron/take.h"
#include "rows/batch.h"
#include "sort/sorted.h"

namespace heron::inline v0 {
namespace {

// Returns a row of keys and results for each of `first_rows`, which the parts have.
RowBatch rows_of(const Projection& keys, std::span<const uint64_t> first_rows,
                 std::span<const Aggregate> aggregates, const AggregatePlan& plan,
                 std::span<const GroupRows> parts, const Context& context) {
  const auto memory = std::make_shared<Arena>(context.memory);
  GroupResults results(aggregates, plan, parts, first_rows.size(), *memory);
  RowBatch batch = take(keys, first_rows, context);
  for (Values& column : batch.columns) make_canonical(column, *batch.memory);
  constexpr uint64_t kMinParallelGroups = 4096;
  Context quiet = context;
  quiet.progress = nullptr;
  if (first_rows.size() < kMinParallelGroups) quiet.threads = 1;
  parallel_for(results.steps(), quiet, [&](uint64_t i, const Context&) { results.step(i); });
  batch.memory->keep(memory);
  auto schema = std::make_shared<Schema>(*batch.schema);
  results.append_to(batch, *schema);
  batch.schema = std::move(schema);
  return batch;
}

RowBatch all_rows(const GroupAnswer& answer, const OrderedGroups& groups, const Context& context) {
  std::vector<GroupRows> parts;
  for (uint64_t lane = 0; lane < groups.states.size(); ++lane) {
    parts.push_back({*groups.states[lane], {groups.positions[lane]}});
  }
  return rows_of(answer.keys, groups.first_rows, answer.aggregates, answer.plan, parts, context);
}

// Returns rows with only the columns that the order names; nullopt if one of these does not exist.
std::optional<RowBatch> rows_with_order(const GroupAnswer& answer, const OrderedGroups& groups,
                                        const Context& context) {
  std::vector<uint64_t> keys;
  std::vector<Aggregate> aggregates;
  AggregatePlan plan = answer.plan;
  plan.state_of.clear();
  const Schema& known = *answer.keys.schema();
  for (const OrderBy& by : answer.order) {
    const auto key = std::ranges::find(known, by.column, &Field::name);
    const auto one = std::ranges::find(answer.aggregates, by.column, &Aggregate::name);
    if (key != known.end()) {
      keys.push_back(answer.keys.indices()[static_cast<uint64_t>(key - known.begin())]);
    } else if (one != answer.aggregates.end()) {
      aggregates.push_back(*one);
      plan.state_of.push_back(
          answer.plan.state_of[static_cast<uint64_t>(one - answer.aggregates.begin())]);
    } else {
      return std::nullopt;
    }
  }
  return all_rows({Projection(answer.keys.table(), keys), aggregates, plan}, groups, context);
}

}  // namespace

RowBatch answer_of(const GroupAnswer& answer, const OrderedGroups& groups, const Context& context) {
  const bool are_all = answer.limit >= groups.first_rows.size();
  const std::optional<RowBatch> ordered =
      are_all ? std::nullopt : rows_with_order(answer, groups, context);
  if (!ordered)
    return sorted(all_rows(answer, groups, context), answer.order, answer.limit, context);
  const std::vector<uint32_t> first = rows_in_order(*ordered, answer.order, answer.limit, context);
  std::vector<uint64_t> first_rows;
  std::vector<std::vector<uint32_t>> rows(groups.states.size()), numbers(rows.size());
  for (uint32_t row = 0; row < first.size(); ++row) {
    first_rows.push_back(groups.first_rows[first[row]]);
    for (uint64_t lane = 0; lane < rows.size(); ++lane) {
      const auto at = std::ranges::lower_bound(groups.positions[lane], first[row]);
      if (at == groups.positions[lane].end() || *at != first[row]) continue;
      rows[lane].push_back(row);
      numbers[lane].push_back(static_cast<uint32_t>(at - groups.positions[lane].begin()));
    }
  }
  std::vector<GroupRows> parts;
  for (uint64_t lane = 0; lane < rows.size(); ++lane) {
    if (!rows[lane].empty()) parts.push_back({*groups.states[lane], {rows[lane], numbers[lane]}});
  }
  return rows_of(answer.keys, first_rows, answer.aggregates, answer.plan, parts, context);
}

}  // namespace heron::inline v0
