// The groups of a lane: of those keys whose hash falls into it.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/selected_rows.h"
#include "query/charge.h"
#include "query/group_keys.h"
#include "query/group_states.h"

namespace heron::inline v0 {

// The columns that a question reads, each once: key columns first.
struct AskedColumns {
  AskedColumns(const Projection& key_columns, std::span<const Aggregate> wanted);

  std::vector<uint64_t> columns;                      // in the table
  uint64_t keys;                                      // how many of them
  std::vector<std::optional<uint64_t>> of_aggregate;  // places in `columns`; nothing: counts rows
};

// Selected rows and their keys.
struct KeyedRows {
  SelectedRows rows;  // of the columns asked
  std::optional<GroupKeys> keys;
  std::vector<std::span<const uint32_t>>
      lanes;  // places in rows.rows; none where there is one lane
};

// The places of each lane's keys, in order. They live in the arena.
std::vector<std::span<const uint32_t>> dealt_out(const GroupKeys& keys, unsigned lane_bits,
                                                 Arena& arena);

// The groups of some of the keys.
class GroupLane {
 public:
  GroupLane(const Table& table, std::span<const Aggregate> wanted, const Context& context);

  // `places` of those rows, in order.
  void add(const KeyedRows& from, std::span<const uint32_t> places, const AskedColumns& asked);

  // Of each group its first row in the table, ascending.
  const std::vector<uint64_t>& first_rows() const noexcept { return first_rows_; }
  ScalarView result(uint64_t aggregate, uint32_t number) const {
    return states_[aggregate]->result(number);
  }

 private:
  template <class Index>
  void find_groups(const KeyedRows& from, std::span<const uint32_t> places, Index& index);

  NumberIndex number_index_;
  BytesIndex bytes_index_;
  std::vector<uint64_t> first_rows_;
  std::vector<std::unique_ptr<GroupState>> states_;
  std::vector<uint32_t> numbers_, rows_;  // of the rows at hand
  const std::string file_;
  Charge charge_;
};

}  // namespace heron::inline v0
