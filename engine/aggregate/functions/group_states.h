// Aggregate states that hold a struct for each group.
#pragma once

#include <string_view>
#include <type_traits>
#include <vector>

#include "aggregate/aggregate_state.h"
#include "base/zeroed_array.h"
#include "values/cells.h"
#include "values/text_cells.h"

namespace heron::inline v0 {

// Calls use(i, row) for each row with a value.
template <class Use>
void for_valid(const Values& values, const GroupedRows& grouped, Use use) {
  const std::span<const uint32_t> rows = grouped.rows;  // a copy, which no store may change
  if (values.type.is(Type::Null)) return;
  if (values.null_count == 0) {
    for (uint64_t i = 0; i < rows.size(); ++i) use(i, rows[i]);
    return;
  }
  for (uint64_t i = 0; i < rows.size(); ++i) {
    if (!values.is_null(rows[i])) use(i, rows[i]);
  }
}

// A key with its value.
struct KeyAndValue {
  uint64_t number;
  ScalarView value;
};

// Returns a value that is not null as a number, a bool, a text, a key or, for any type, a scalar.
template <class T>
T value_at(const Values& values, uint64_t row) {
  if constexpr (std::is_same_v<T, bool>)
    return values.data.bit(row);
  else if constexpr (std::is_same_v<T, std::string_view>)
    return values.text(row);
  else if constexpr (std::is_same_v<T, ScalarView>)
    return scalar_at(values, row);
  else if constexpr (std::is_same_v<T, KeyAndValue>)
    return {visit_cell_type(values.type,
                            [&]<class Number>() {
                              return static_cast<uint64_t>(cell_of<Number>(values, row));
                            }),
            scalar_at(values, row)};
  else
    return cell_of<T>(values, row);
}

// Calls use(at), where at(row) returns what value_at() does, for a row with a value.
template <class T, class Use>
void with_values(const Values& values, Use use) {
  if constexpr (std::is_same_v<T, std::string_view>)
    with_texts(values, [&](auto texts) { use([texts](uint64_t row) { return texts[row]; }); });
  else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
    use([cells = values.data.data](uint64_t row) { return load_cell<T>(cells, row); });
  else
    use([&values](uint64_t row) { return value_at<T>(values, row); });
}

// An array of One, whose new elements are zeros unless they own memory.
template <class One>
using OneForEachGroup =
    std::conditional_t<std::is_trivially_copyable_v<One>, ZeroedArray<One>, std::vector<One>>;

// Returns the state of row i's group. A copy of this in a loop keeps its pointers in registers,
// because no store to a state can change them. Many states do not fit the cache, so the state of a
// later row is prefetched.
template <class One>
class StatesOfRows {
 public:
  StatesOfRows(OneForEachGroup<One>& all, const GroupedRows& grouped)
      : states_(all.data()), numbers_(grouped.numbers), are_many_(all.size() >= kMinPrefetched) {}

  One& operator[](uint64_t i) const {
    if (are_many_ && i + kAhead < numbers_.size()) {
      __builtin_prefetch(&states_[numbers_[i + kAhead]], 1);
    }
    return states_[numbers_[i]];
  }

 private:
  static constexpr uint64_t kAhead = 24, kMinPrefetched = 16'384;

  One* states_;
  std::span<const uint32_t> numbers_;
  bool are_many_;
};
template <class All>
StatesOfRows(All&, const GroupedRows&) -> StatesOfRows<typename All::value_type>;

// The states of a column whose values are T. A new One is zeros if it is trivially copyable; it has
// add(T), merge(One), save, load and result(Aggregate), and integer_sum() if it sums integers. If a
// One owns memory, its add, merge and load return by how many bytes this memory grew, and its
// optional free() releases it.
template <class One, class T>
class GroupStates : public AggregateState {
 public:
  ~GroupStates() override {
    if constexpr (requires(One one) { one.free(); }) {
      for (uint64_t i = 0; own_bytes_ != 0 && i < all_.size(); ++i) all_[i].free();
    }
  }
  void resize(uint64_t groups) override { all_.resize(groups); }
  void update(const Values* values, const GroupedRows& grouped) override {
    const StatesOfRows<One> states(all_, grouped);
    uint64_t grown = 0;
    with_values<T>(*values, [&](auto at) {
      for_valid(*values, grouped, [&grown, states, at](uint64_t i, uint32_t row) {
        grown += grown_by([&] { return states[i].add(at(row)); });
      });
    });
    own_bytes_ += grown;
  }
  void update_block(const SelectedValues& block) override {
    if constexpr (std::is_same_v<T, ScalarView> || std::is_same_v<T, KeyAndValue>) {
      AggregateState::update_block(block);
    } else if (const auto valid = block.valid()) {
      One& one = all_[0];
      uint64_t grown = 0;
      with_values<T>(valid->values, [&](auto at) {
        valid->for_each([&](uint64_t row) { grown += grown_by([&] { return one.add(at(row)); }); });
      });
      own_bytes_ += grown;
    }
  }
  void merge(const AggregateState& state, std::span<const uint32_t> numbers) override {
    const auto& next = static_cast<const GroupStates&>(state).all_;
    for (uint64_t i = 0; i < next.size(); ++i) {
      if (numbers[i] == kNoGroup) continue;
      own_bytes_ += grown_by([&] { return all_[numbers[i]].merge(next[i]); });
    }
  }
  ScalarView result(uint32_t group, const Aggregate& one) const override {
    return all_[group].result(one);
  }
  std::optional<Int128> integer_sum(uint32_t group) const override {
    if constexpr (requires(const One one) { one.integer_sum(); })
      return all_[group].integer_sum();
    else
      return std::nullopt;
  }
  void write_results(const Aggregate& one, const RowsOfGroups& groups,
                     const ResultCells& to) const final {
    const bool is_sum = to.type.is(Type::Int128);
    for (uint64_t i = 0; i < groups.size(); ++i) {
      const uint32_t group = groups.group(i), row = groups.rows[i];
      is_sum ? to.put(row, GroupStates::integer_sum(group)) : to.put(row, all_[group].result(one));
    }
  }
  void save(StateWriter& to) const override {
    for (const One& one : all_) one.save(to);
  }
  void load(StateReader& from) override {
    own_bytes_ = sizeof(One);  // not 0: what a damaged state leaves is released, too
    for (One& one : all_) own_bytes_ += grown_by([&] { return one.load(from); });
  }
  uint64_t bytes() const override { return all_.capacity() * sizeof(One) + own_bytes_; }

 protected:
  template <class Change>
  static uint64_t grown_by(Change change) {
    if constexpr (std::is_void_v<decltype(change())>)
      return change(), 0;
    else
      return change();
  }

  OneForEachGroup<One> all_;
  uint64_t own_bytes_ = 0;
};

// A count of rows.
struct RowCount {
  void merge(const RowCount& next) { count += next.count; }
  ScalarView result(const Aggregate&) const { return count; }
  void save(StateWriter& to) const { to.put(count); }
  void load(StateReader& from) { count = from.take<uint64_t>(); }
  void add(const ScalarView&) { ++count; }

  uint64_t count = 0;
};

using RowCounts = GroupStates<RowCount, ScalarView>;

// Makes the states of a template for the column's C++ type.
template <template <class> class State>
std::unique_ptr<AggregateState> make_of_cells(const Type& type) {
  return visit_cell_type(type, [&]<class T>() -> std::unique_ptr<AggregateState> {
    return std::make_unique<State<T>>();
  });
}

}  // namespace heron::inline v0
