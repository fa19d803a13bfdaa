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
                 std::span<const Aggregate> wanted, const AggregatePlan& plan,
                 std::span<const GroupRows> parts, const Context& context) {
  const auto memory = std::make_shared<Arena>(context.memory);
  GroupResults results(wanted, plan, parts, first_rows.size(), *memory);
  RowBatch batch = take(keys, first_rows, context);
  for (Values& column : batch.columns) make_canonical(column, *batch.memory);
  constexpr uint64_t kFewGroups = 4096;
  Context quiet = context;
  quiet.progress = nullptr;
  if (first_rows.size() < kFewGroups) quiet.threads = 1;
  parallel_for(results.steps(), quiet, [&](uint64_t i, const Context&) { results.step(i); });
  batch.memory->keep(memory);
  auto schema = std::make_shared<Schema>(*batch.schema);
  results.append_to(batch, *schema);
  batch.schema = std::move(schema);
  return batch;
}

RowBatch all_rows(const GroupAnswer& asked, const OrderedGroups& groups, const Context& context) {
  std::vector<GroupRows> parts;
  for (uint64_t lane = 0; lane < groups.states.size(); ++lane) {
    parts.push_back({*groups.states[lane], {groups.positions[lane]}});
  }
  return rows_of(asked.keys, groups.first_rows, asked.wanted, asked.plan, parts, context);
}

// Returns rows with only the columns that the order names; nullopt if one of these does not exist.
std::optional<RowBatch> rows_with_order(const GroupAnswer& asked, const OrderedGroups& groups,
                                        const Context& context) {
  std::vector<uint64_t> keys;
  std::vector<Aggregate> wanted;
  AggregatePlan plan = asked.plan;
  plan.state_of.clear();
  const Schema& known = *asked.keys.schema();
  for (const OrderBy& by : asked.order) {
    const auto key = std::ranges::find(known, by.column, &Field::name);
    const auto one = std::ranges::find(asked.wanted, by.column, &Aggregate::name);
    if (key != known.end()) {
      keys.push_back(asked.keys.indices()[static_cast<uint64_t>(key - known.begin())]);
    } else if (one != asked.wanted.end()) {
      wanted.push_back(*one);
      plan.state_of.push_back(asked.plan.state_of[static_cast<uint64_t>(one - asked.wanted.begin())]);
    } else {
      return std::nullopt;
    }
  }
  return all_rows({Projection(asked.keys.table(), keys), wanted, plan}, groups, context);
}

}  // namespace

RowBatch answer_of(const GroupAnswer& asked, const OrderedGroups& groups, const Context& context) {
  const bool are_all = asked.limit >= groups.first_rows.size();
  const std::optional<RowBatch> ordered =
      are_all ? std::nullopt : rows_with_order(asked, groups, context);
  if (!ordered) return sorted(all_rows(asked, groups, context), asked.order, asked.limit, context);
  const std::vector<uint32_t> first = rows_in_order(*ordered, asked.order, asked.limit, context);
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
  return rows_of(asked.keys, first_rows, asked.wanted, asked.plan, parts, context);
}

}  // namespace heron::inline v0
