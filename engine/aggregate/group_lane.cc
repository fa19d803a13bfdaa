#include "aggregate/group_lane.h"

#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "base/hints.h"
#include "table/internals.h"

namespace heron::inline v0 {

InputColumns::InputColumns(const Projection& key_columns, const AggregatePlan& plan,
                           const std::optional<KeyCodes>& codes)
    : columns(key_columns.indices().begin(), key_columns.indices().end()), keys(columns.size()) {
  for (const AggregatePlan::Planned& one : plan.states) {
    if (!one.column) {
      of_state.push_back(std::nullopt);
      continue;
    }
    auto at = std::find(columns.begin(), columns.end(), *one.column);
    if (at == columns.end()) at = columns.insert(at, *one.column);
    of_state.push_back(static_cast<uint64_t>(at - columns.begin()));
  }
  // A key column that is also aggregated is read as values, not codes.
  for (uint64_t i = 0; codes && i < keys; ++i) {
    const bool is_aggregated =
        std::find(of_state.begin(), of_state.end(), std::optional(i)) != of_state.end();
    if (codes->in_dictionary(i) && !is_aggregated) coded.push_back(columns[i]);
  }
}

std::vector<RowIndices> partition_by_lane(const GroupKeys& keys, RowIndices indices,
                                          unsigned lane_bits, Arena& arena) {
  const uint64_t lanes = uint64_t{1} << lane_bits;
  const std::span<const uint64_t> hashes = keys.hashes(indices, arena);
  std::vector<uint64_t> ends(lanes + 1);
  for (const uint64_t hash : hashes) ++ends[(hash >> (64 - lane_bits)) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  auto* dealt = arena.allocate_array<uint32_t>(indices.size());
  std::vector<uint64_t> at(ends.begin(), ends.end() - 1);
  for (uint64_t i = 0; i < indices.size(); ++i) {
    dealt[at[hashes[i] >> (64 - lane_bits)]++] = indices[i];
  }
  std::vector<RowIndices> all;
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    all.emplace_back(dealt + ends[lane], ends[lane + 1] - ends[lane]);
  }
  return all;
}

GroupLane::GroupLane(const Table& table, const AggregatePlan& plan, const KeyLayout& layout,
                     uint32_t codes, const Context& context)
    : index_(layout, codes),
      states_(plan.make()),
      file_(bytes_of(table).name()),
      charge_(context.memory) {}

void GroupLane::find(const KeyedRows& from, RowIndices indices, uint32_t* numbers) {
  index_.find_or_add(*from.keys, indices, numbers);
  const uint64_t groups = index_.size();
  for (uint64_t i = 0; first_rows_.size() != groups; ++i) {
    if (numbers[i] != first_rows_.size()) continue;
    first_rows_.push_back(from.rows.first_row + from.rows.offsets[indices[i]]);
  }
  if (first_rows_.size() > UINT32_MAX / 2) fail(ErrorKind::Limit, {}, "more than 2^31 groups");
}

void GroupLane::update(const KeyedRows& from, RowIndices indices, const uint32_t* numbers,
                       const InputColumns& inputs) {
  std::span<const uint32_t> rows = from.rows.rows;
  if (indices.size() != rows.size()) {
    rows_.resize(indices.size());
    for (uint64_t i = 0; i < indices.size(); ++i) rows_[i] = from.rows.rows[indices[i]];
    rows = rows_;
  }
  const GroupedRows grouped{rows, {numbers, indices.size()}};
  for (uint64_t i = 0; i < states_.size(); ++i) {
    const auto& column = inputs.of_state[i];
    states_[i]->resize(first_rows_.size());
    states_[i]->update(column ? &from.rows.columns[*column] : nullptr, grouped);
  }
  grow_charge();
}

// Rows that were added to groups of their range precede the others in `all`.
void GroupLane::merge(RangeGroups& next, uint64_t lane,
                      std::span<const std::unique_ptr<KeyedRows>> all) {
  const GroupLane& range = next.groups();
  std::vector<uint32_t>& here = next.numbers_in(lane);
  here.resize(range.first_rows_.size(), kNoGroup);
  for (const auto& keyed : all) {
    if (keyed->range_groups == nullptr) break;
    const RowIndices indices = keyed->lanes[lane];
    numbers_.resize(indices.size());
    find(*keyed, indices, numbers_.data());
    for (uint64_t i = 0; i < indices.size(); ++i) {
      here[keyed->range_groups[indices[i]]] = numbers_[i];
    }
  }
  for (uint64_t i = 0; i < states_.size(); ++i) {
    states_[i]->resize(first_rows_.size());
    states_[i]->merge(*range.states_[i], here);
  }
  grow_charge();
}

bool GroupLane::merges_fast() const noexcept {
  return std::all_of(states_.begin(), states_.end(),
                     [](const auto& state) { return state->merges_fast(); });
}

void GroupLane::grow_charge() {
  uint64_t bytes = index_.bytes() + first_rows_.capacity() * sizeof(uint64_t);
  for (const auto& state : states_) bytes += state->bytes();
  if (!charge_.try_grow_to(bytes)) {
    fail_with_hint(ErrorKind::Limit, hint::kMemory, file_,
                   "groups are more than the memory budget of ", charge_.limit(), " bytes holds");
  }
}

}  // namespace heron::inline v0
