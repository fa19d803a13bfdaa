// The value of a group's first or last row, which may be null, and the first value that is not
// null: as `first`, `last` and `any_value` of DuckDB. Floats are as they are stored.
#pragma once

#include "aggregate/functions/function.h"
#include "aggregate/functions/group_states.h"

namespace heron::inline v0 {

enum class WhichRow : uint8_t { First, Last, FirstValue };

template <WhichRow kWhich>
class RowValue {
 public:
  // Returns by how many bytes a text that this holds grew.
  uint64_t add(const ScalarView& value) {
    if (is_final()) return 0;
    known_ = true;
    const uint64_t before = bytes();
    value_ = owned(value);
    return bytes() - before;
  }
  uint64_t merge(const RowValue& next) { return next.known_ ? add(view_of(next.value_)) : 0; }
  bool is_final() const noexcept { return known_ && kWhich != WhichRow::Last; }
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

template <WhichRow kWhich>
class RowValues final : public GroupStates<RowValue<kWhich>, ScalarView> {
  void update(const Values* values, const GroupedRows& grouped) override {
    const StatesOfRows states(this->all_, grouped);
    for (uint64_t i = 0; i < grouped.rows.size(); ++i) {
      RowValue<kWhich>& one = states[i];
      if (one.is_final()) continue;
      if (kWhich == WhichRow::FirstValue && is_null(*values, grouped.rows[i])) continue;
      this->own_bytes_ += one.add(scalar_at(*values, grouped.rows[i]));
    }
  }
  void update_block(const SelectedValues& block) override {
    if (!this->all_[0].is_final()) AggregateState::update_block(block);
  }
  static bool is_null(const Values& values, uint64_t row) {
    return values.type.is(Type::Null) || values.is_null(row);
  }
};

template <WhichRow kWhich>
std::unique_ptr<AggregateState> make_row_values(const StateOf&) {
  return std::make_unique<RowValues<kWhich>>();
}

}  // namespace heron::inline v0
