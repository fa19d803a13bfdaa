// States of decimals that are those of the float64 nearest to each.
#pragma once

#include <utility>
#include <vector>

#include "aggregate/aggregate_state.h"
#include "values/cells.h"
#include "values/decimals.h"

namespace heron::inline v0 {

// `State` aggregates float64.
template <class State>
class AsFloats final : public State {
 public:
  template <class... Arguments>
  explicit AsFloats(Arguments&&... arguments) : State(std::forward<Arguments>(arguments)...) {}

  void update(const Values* values, const GroupedRows& grouped) override {
    const Values floats = as_floats(*values);
    State::update(&floats, grouped);
  }
  void update_block(const SelectedValues& block) override {
    const Values floats = as_floats(block.values);
    State::update_block({floats, block.row_ids, block.selected, block.arena});
  }

 private:
  // Returns values that live until the next call.
  Values as_floats(const Values& decimals) {
    floats_.resize(decimals.rows);
    for (uint64_t row = 0; row < decimals.rows; ++row) {
      floats_[row] = as_double(cell_of<Int128>(decimals, row), decimals.type.scale());
    }
    Values floats(Type::Float64, decimals.rows);
    floats.data = {reinterpret_cast<const std::byte*>(floats_.data()),
                   decimals.rows * sizeof(double)};
    floats.validity = decimals.validity;
    floats.null_count = decimals.null_count;
    return floats;
  }

  std::vector<double> floats_;
};

}  // namespace heron::inline v0
