// The least and the greatest value of a group.
#pragma once

#include "aggregate/functions/group_states.h"
#include "values/text_cells.h"

namespace heron::inline v0 {

// The extreme of numbers, without NaNs; -0.0 is 0.0.
template <class T, bool kGreatest>
class NumberExtreme {
 public:
  void add(T value) {
    if (value != value) return;
    if (known_ && !(kGreatest ? value > value_ : value < value_)) return;
    value_ = value;
    known_ = true;
  }
  void merge(const NumberExtreme& next) {
    if (next.known_) add(next.value_);
  }
  ScalarView result(const Aggregate&) const {
    return known_ ? canonical(scalar_of(value_)) : ScalarView();
  }
  void save(StateWriter& to) const {
    to.put(known_);
    to.put(value_);
  }
  void load(StateReader& from) {
    known_ = from.take_bool();
    value_ = from.take<T>();
  }

 private:
  T value_{};
  bool known_ = false;
};

// The extreme of keys with values in the order of the keys, as its value. Leaves out values that
// are null or NaN.
template <bool kGreatest>
class KeyExtreme {
 public:
  void add(const KeyAndValue& key) {
    if (number_ != 0 && (kGreatest ? key.number <= number_ : key.number >= number_)) return;
    if (std::holds_alternative<std::monostate>(key.value)) return;
    number_ = key.number;
    value_ = owned(key.value);
  }
  void merge(const KeyExtreme& next) { add({next.number_, view_of(next.value_)}); }
  ScalarView result(const Aggregate&) const { return view_of(value_); }
  void save(StateWriter& to) const {
    to.put(number_);
    to.put_scalar(view_of(value_));
  }
  void load(StateReader& from) {
    const auto number = from.take<uint64_t>();
    const Scalar value = from.take_scalar();
    add({number, view_of(value)});
  }

 private:
  uint64_t number_ = 0;  // 0: none yet
  Scalar value_;
};

// The extreme of values that are compared as scalars: texts, values of keys, times with an offset.
// Leaves out nulls and NaNs.
template <bool kGreatest>
class ScalarExtreme {
 public:
  // add() and merge() return by how many bytes a text that this holds grew.
  uint64_t add(const ScalarView& value) {
    if (const auto* text = std::get_if<std::string_view>(&value)) return add(*text);
    if (std::holds_alternative<std::monostate>(value)) return 0;
    if (const auto* number = std::get_if<double>(&value); number != nullptr && *number != *number) {
      return 0;
    }
    if (known()) {
      const auto order = compare(value, view_of(best_));
      if (kGreatest ? order <= 0 : order >= 0) return 0;
    }
    best_ = owned(canonical(value));
    return 0;
  }
  uint64_t add(std::string_view text) {
    const uint64_t first = in_order_of_texts(first_eight(text));
    uint64_t before = 0;
    if (const auto* best = std::get_if<std::string>(&best_)) {
      if (kGreatest ? first < first_ : first > first_) return 0;
      if (first == first_ && (kGreatest ? text <= *best : text >= *best)) return 0;
      before = best->size();
    }
    best_ = std::string(text);
    first_ = first;
    return text.size() - before;
  }
  uint64_t merge(const ScalarExtreme& next) { return add(view_of(next.best_)); }
  ScalarView result(const Aggregate&) const { return view_of(best_); }
  void save(StateWriter& to) const { to.put_scalar(view_of(best_)); }
  uint64_t load(StateReader& from) {
    const Scalar best = from.take_scalar();
    return add(view_of(best));
  }

 private:
  bool known() const noexcept { return !std::holds_alternative<std::monostate>(best_); }

  Scalar best_;
  uint64_t first_ = 0;  // the first eight bytes of a text, in the order of texts
};

template <bool kGreatest, class T>
class ScalarExtremes final : public GroupStates<ScalarExtreme<kGreatest>, T> {
 public:
  bool ignores_repeats() const noexcept override { return true; }
};

template <bool kGreatest>
class KeyExtremes final : public GroupStates<KeyExtreme<kGreatest>, KeyAndValue> {
  bool ignores_repeats() const noexcept override { return true; }
};

template <bool kGreatest>
std::unique_ptr<AggregateState> make_extremes(const StateOf& of) {
  const Type& type = of.type;
  if (type.has_bytes()) return std::make_unique<ScalarExtremes<kGreatest, std::string_view>>();
  if (type.is(Type::Decimal)) {
    return std::make_unique<GroupStates<NumberExtreme<Int128, kGreatest>, Int128>>();
  }
  if (of.has_ordered_texts) return std::make_unique<KeyExtremes<kGreatest>>();
  if (type.is(Type::Key) || !has_number_cells(type)) {
    return std::make_unique<ScalarExtremes<kGreatest, ScalarView>>();
  }
  return visit_cell_type(type, []<class T>() -> std::unique_ptr<AggregateState> {
    return std::make_unique<GroupStates<NumberExtreme<T, kGreatest>, T>>();
  });
}

}  // namespace heron::inline v0
