// The groups of a lane: those whose key has a hash of that lane.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/aggregate_state.h"
#include "aggregate/group_keys.h"
#include "aggregate/key_codes.h"
#include "exec/selected_rows.h"
#include "rows/charge.h"

namespace heron::inline v0 {

// The columns that a query reads, each once, key columns first.
struct AskedColumns {
  AskedColumns(const Projection& key_columns, const AggregatePlan& plan,
               const std::optional<KeyCodes>& codes);

  std::vector<uint64_t> columns;                  // in the table
  std::vector<uint64_t> coded;                    // those of them to read as codes
  uint64_t keys;                                  // how many are key columns
  std::vector<std::optional<uint64_t>> of_state;  // index in `columns`; nullopt: counts rows
};

// Selected rows and their keys.
struct KeyedRows {
  SelectedRows rows;  // of AskedColumns
  std::optional<GroupKeys> keys;
  std::vector<std::span<const uint32_t>>
      lanes;  // indices in SelectedRows::rows; empty if there is one lane
};

// The indices of each lane's keys, ascending. They live in the arena.
std::vector<std::span<const uint32_t>> dealt_out(const GroupKeys& keys, unsigned lane_bits,
                                                 Arena& arena);

// The groups of one lane.
class GroupLane {
 public:
  // `codes`: how many the keys can have; 0: they are not codes.
  GroupLane(const Table& table, const AggregatePlan& plan, uint32_t codes, const Context& context);

  // Adds those rows, by ascending index in `from`.
  void add(const KeyedRows& from, std::span<const uint32_t> places, const AskedColumns& asked);

  // The first row of each group in the table, ascending.
  const std::vector<uint64_t>& first_rows() const noexcept { return first_rows_; }
  const AggregateStates& states() const noexcept { return states_; }
  AggregateStates take_states() noexcept { return std::move(states_); }

 private:
  template <class Index>
  void find_groups(const KeyedRows& from, std::span<const uint32_t> places, Index& index);

  CodeIndex code_index_;
  NumberIndex number_index_;
  BytesIndex bytes_index_;
  std::vector<uint64_t> first_rows_;
  AggregateStates states_;
  std::vector<uint32_t> numbers_, rows_;  // of the rows being added
  const std::string file_;
  Charge charge_;
};

}  // namespace heron::inline v0
