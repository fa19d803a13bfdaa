#include "aggregate/group_lane.h"

#include <algorithm>
#include <numeric>

#include "table/internals.h"

namespace heron::inline v0 {

AskedColumns::AskedColumns(const Projection& key_columns, const AggregatePlan& plan,
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

// The indices of each lane's keys, ascending.
std::vector<std::span<const uint32_t>> dealt_out(const GroupKeys& keys, unsigned lane_bits,
                                                 Arena& arena) {
  const uint64_t lanes = uint64_t{1} << lane_bits;
  auto* lane_of = arena.allocate_array<uint8_t>(keys.size());
  std::vector<uint64_t> ends(lanes + 1);
  for (uint64_t i = 0; i < keys.size(); ++i) {
    lane_of[i] = static_cast<uint8_t>(keys.lane(i, lane_bits));
    ++ends[lane_of[i] + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  auto* places = arena.allocate_array<uint32_t>(keys.size());
  std::vector<uint64_t> at(ends.begin(), ends.end() - 1);
  for (uint32_t i = 0; i < keys.size(); ++i) places[at[lane_of[i]]++] = i;
  std::vector<std::span<const uint32_t>> dealt;
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    dealt.emplace_back(places + ends[lane], ends[lane + 1] - ends[lane]);
  }
  return dealt;
}

GroupLane::GroupLane(const Table& table, const AggregatePlan& plan, uint32_t codes,
                     const Context& context)
    : code_index_(codes),
      states_(plan.make()),
      file_(bytes_of(table).name()),
      charge_(context.memory) {}

template <class Index>
void GroupLane::find_groups(const KeyedRows& from, std::span<const uint32_t> places, Index& index) {
  constexpr uint64_t kAhead = 12;
  const GroupKeys& keys = *from.keys;
  for (uint64_t i = 0; i < places.size(); ++i) {
    if (i + kAhead < places.size()) keys.prefetch(places[i + kAhead], index);
    const uint32_t number = keys.find_or_add(places[i], index);
    if (number == first_rows_.size()) {
      if (number == UINT32_MAX / 2) fail(ErrorKind::Limit, {}, "more than 2^31 groups");
      first_rows_.push_back(from.rows.first_row + from.rows.offsets[places[i]]);
    }
    numbers_[i] = number;
  }
}

void GroupLane::add(const KeyedRows& from, std::span<const uint32_t> places,
                    const AskedColumns& asked) {
  numbers_.resize(places.size());
  if (from.keys->are_codes()) {
    find_groups(from, places, code_index_);
  } else if (from.keys->are_numbers()) {
    find_groups(from, places, number_index_);
  } else {
    find_groups(from, places, bytes_index_);
  }
  std::span<const uint32_t> rows = from.rows.rows;
  if (!from.lanes.empty()) {
    rows_.resize(places.size());
    for (uint64_t i = 0; i < places.size(); ++i) rows_[i] = from.rows.rows[places[i]];
    rows = rows_;
  }
  const GroupedRows grouped{rows, numbers_};
  uint64_t bytes = code_index_.bytes() + number_index_.bytes() + bytes_index_.bytes() +
                   first_rows_.capacity() * sizeof(uint64_t);
  for (uint64_t i = 0; i < states_.size(); ++i) {
    const auto& column = asked.of_state[i];
    states_[i]->resize(first_rows_.size());
    states_[i]->update(column ? &from.rows.columns[*column] : nullptr, grouped);
    bytes += states_[i]->bytes();
  }
  if (!charge_.try_grow_to(bytes)) {
    fail_with_hint(ErrorKind::Limit, Hint::Memory, file_,
                   "groups are more than the memory budget of ", charge_.limit(), " bytes holds");
  }
}

}  // namespace heron::inline v0
