// The groups of a lane: groups whose keys have a hash of that lane.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/aggregate_state.h"
#include "aggregate/keys/group_keys.h"
#include "aggregate/keys/key_codes.h"
#include "base/zeroed_array.h"
#include "exec/selected_rows.h"
#include "rows/charge.h"

namespace heron::inline v0 {

// The columns that a query reads, each once, key columns first.
struct InputColumns {
  InputColumns(const Projection& key_columns, const AggregatePlan& plan,
               const std::optional<KeyCodes>& codes);

  std::vector<uint64_t> columns;                  // column numbers in the table
  std::vector<uint64_t> coded;                    // columns to read as codes
  uint64_t keys;                                  // number of key columns
  std::vector<std::optional<uint64_t>> of_state;  // index in `columns`; nullopt: counts rows
};

// Indices in SelectedRows::rows.
using RowIndices = std::span<const uint32_t>;

// Selected rows and their keys.
struct KeyedRows {
  SelectedRows rows;  // with the columns of InputColumns
  std::optional<GroupKeys> keys;
  // The indices of each lane's rows; empty if there is one lane. For rows that have been added to
  // groups of their range, only the first row of each new group; range_groups then has the number
  // of the group in the range by index.
  std::vector<RowIndices> lanes;
  const uint32_t* range_groups = nullptr;
};

// Splits `indices` by lane, into 2^lane_bits lists that ascend as `indices` do; equal keys are in
// the same lane. The spans live in the arena.
std::vector<RowIndices> partition_by_lane(const GroupKeys& keys, RowIndices indices,
                                          unsigned lane_bits, Arena& arena);

class RangeGroups;

// The groups of one lane.
class GroupLane {
 public:
  // `codes`: how many codes the keys can have; 0: the keys are not codes. The layout must outlive
  // this.
  GroupLane(const Table& table, const AggregatePlan& plan, const KeyLayout& layout, uint32_t codes,
            const Context& context);

  // Sets numbers[i] to the group of the row at indices[i], which ascend; new groups get the next
  // numbers.
  void find(const KeyedRows& from, RowIndices indices, uint32_t* numbers);
  // Adds the rows at `indices` to the groups `numbers`.
  void update(const KeyedRows& from, RowIndices indices, const uint32_t* numbers,
              const InputColumns& inputs);
  void add(const KeyedRows& from, RowIndices indices, const InputColumns& inputs) {
    numbers_.resize(indices.size());
    find(from, indices, numbers_.data());
    update(from, indices, numbers_.data(), inputs);
  }
  // Adds the groups of the next range that belong to this lane; `all` are the rows of the range.
  void merge(RangeGroups& next, uint64_t lane, std::span<const std::unique_ptr<KeyedRows>> all);

  // Resets the states, but keeps the groups and their numbers.
  void restart(const AggregatePlan& plan) { states_ = plan.make(); }

  bool merges_fast() const noexcept;
  // The first row of each group in the table, ascending.
  std::span<const uint64_t> first_rows() const noexcept {
    return {first_rows_.data(), first_rows_.size()};
  }
  const AggregateStates& states() const noexcept { return states_; }
  AggregateStates take_states() noexcept { return std::move(states_); }

 private:
  // Charges the memory held.
  void grow_charge();

  GroupIndex index_;
  ZeroedArray<uint64_t> first_rows_;
  AggregateStates states_;
  std::vector<uint32_t> numbers_, rows_;  // groups and indices of the rows being added
  const std::string file_;
  Charge charge_;
};

// Groups of the rows of a range, which the lanes merge. RangeGroups serve one range after the
// other, in order: a key keeps its number here and in its lane, so that a range costs its rows and
// the merge of its groups, but no further search for keys in the lanes.
class RangeGroups {
 public:
  RangeGroups(std::unique_ptr<GroupLane> groups, uint64_t lanes)
      : groups_(std::move(groups)), numbers_(lanes) {}

  GroupLane& groups() noexcept { return *groups_; }
  // The number in a lane of each group; kNoGroup for groups of other lanes. Different lanes may be
  // on different threads.
  std::vector<uint32_t>& numbers_in(uint64_t lane) noexcept { return numbers_[lane]; }

 private:
  std::unique_ptr<GroupLane> groups_;
  std::vector<std::vector<uint32_t>> numbers_;
};

}  // namespace heron::inline v0
