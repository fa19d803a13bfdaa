// The value of a group's first or last row, null if that is: as `first` and `last` of DuckDB.
// Floats are as they are stored.
#pragma once

#include "aggregate/functions/function.h"
#include "aggregate/functions/group_states.h"

namespace heron::inline v0 {

template <bool kLast>
class RowValue {
 public:
  // Returns by how many bytes a text that it holds grew.
  uint64_t add(const ScalarView& value) {
    if (known_ && !kLast) return 0;
    known_ = true;
    const uint64_t before = bytes();
    value_ = owned(value);
    return bytes() - before;
  }
  uint64_t merge(const RowValue& next) { return next.known_ ? add(view_of(next.value_)) : 0; }
  ScalarView result(const Aggregate&) const { return view_of(value_); }
  void save(StateWriter& to) const {
    to.put(known_);
    to.put_scalar(view_of(value_));
  }
  uint64_t load(StateReader& from) {
    known_ = from.take_bool();
    value_ = from.take_scalar();
    return bytes();
  }

 private:
  uint64_t bytes() const noexcept {
    const auto* text = std::get_if<std::string>(&value_);
    return text == nullptr ? 0 : text->size();
  }

  Scalar value_;
  bool known_ = false;
};

template <bool kLast>
class RowValues final : public GroupStates<RowValue<kLast>, ScalarView> {
  void update(const Values* values, const GroupedRows& grouped) override {
    for (uint64_t i = 0; i < grouped.rows.size(); ++i) {
      prefetch_group(this->all_, grouped, i);
      RowValue<kLast>& one = this->all_[grouped.numbers[i]];
      this->own_bytes_ += one.add(scalar_at(*values, grouped.rows[i]));
    }
  }
};

template <bool kLast>
std::unique_ptr<AggregateState> make_row_values(const StateOf&) {
  return std::make_unique<RowValues<kLast>>();
}

}  // namespace heron::inline v0
