// A sample of the values of a column, spread evenly over its rows: of each 2^level consecutive
// rows, one that a hash picks. The level rises where the sample would grow too large, so that a
// column of few values is held whole.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include "aggregate/aggregate_state.h"

namespace heron::inline v0 {

// Samples a column whose values have cells of a fixed width. Depends only on the rows and their
// values. A state without groups that is neither merged nor saved.
class RowSample final : public AggregateState {
 public:
  // The rank of a quantile of n sampled values differs from that among all values by at most
  // sqrt(ln(200) / 2n) in 99 of 100 cases (Hoeffding): 0.0045 for half of the maximum, which is the
  // least for a column without nulls.
  static constexpr uint64_t kMaxValues = 262'144;

  // Returns whether all values are held.
  bool is_whole() const noexcept { return level_ == 0; }
  uint64_t size() const noexcept { return rows_.size(); }
  // The values, valid until this changes. A datetimeoffset is its instant.
  Values values() const;

  void update_block(const SelectedValues& block) override;
  uint64_t bytes() const override;

 private:
  void resize(uint64_t) override {}
  void merge(const AggregateState&, std::span<const uint32_t>) override { assert(false); }
  ScalarView result(uint32_t, const Aggregate&) const override { return {}; }
  void save(StateWriter&) const override { assert(false); }
  void load(StateReader&) override { assert(false); }

  void add(const ValidRows& valid, uint64_t row, uint64_t table_row);
  void raise_level();

  Type type_;
  unsigned level_ = 0;
  std::vector<uint64_t> rows_;  // row numbers in the table
  std::vector<std::byte> cells_;
};

}  // namespace heron::inline v0
