// The standard deviation of a column in doubles, for statistics that are read beside others: some
// tenths of the time that the exact sums of the aggregate take.
#pragma once

#include <cassert>
#include <optional>

#include "aggregate/aggregate_state.h"

namespace heron::inline v0 {

// For a column of numbers. Each block of values has its mean and the sum of squared distances from
// it; blocks are merged in the order of the table (Chan, Golub, LeVeque), so that a large mean takes
// nothing from a small deviation. A state without groups that is neither merged nor saved.
class Moments final : public AggregateState {
 public:
  // Of a sample (stddev_samp): null for fewer than two values, NaN if a value is not finite or
  // squares are beyond float64. Differs from the aggregate by some units of the last places.
  std::optional<double> stddev() const;

  void update_block(const SelectedValues& block) override;
  uint64_t bytes() const override { return 0; }

 private:
  void resize(uint64_t) override {}
  void merge(const AggregateState&, std::span<const uint32_t>) override { assert(false); }
  ScalarView result(uint32_t, const Aggregate&) const override { return {}; }
  void save(StateWriter&) const override { assert(false); }
  void load(StateReader&) override { assert(false); }

  double count_ = 0, mean_ = 0;
  double squares_ = 0;  // the sum of the squared distances from the mean
};

}  // namespace heron::inline v0
