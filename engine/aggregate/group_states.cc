#include "aggregate/group_states.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "aggregate/aggregates.h"
#include "aggregate/exact_sum.h"
#include "aggregate/group_distinct.h"
#include "aggregate/quantile.h"
#include "aggregate/running_values.h"
#include "values/cells.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;

template <class T>
T value_of(const Values& values, uint64_t row) {
  if constexpr (std::is_same_v<T, bool>)
    return values.data.bit(row);
  else
    return cell_of<T>(values, row);
}

// If there are many groups, their states are not in the cache: prefetches that of a later row.
template <class State>
void prefetch_group(const std::vector<State>& states, const GroupedRows& grouped, uint64_t i) {
  constexpr uint64_t kAhead = 16, kMany = 16'384;
  if (states.size() < kMany || i + kAhead >= grouped.numbers.size()) return;
  __builtin_prefetch(&states[grouped.numbers[i + kAhead]], 1);
}

// A number for each group.
class CountsOfGroups : public GroupState {
 public:
  ScalarView result(uint32_t number) const override { return counts_[number]; }
  uint64_t bytes() const override { return counts_.capacity() * sizeof(uint64_t); }
  void append(const GroupState& other, std::span<const uint32_t> numbers,
              uint64_t groups) override {
    const auto& next = static_cast<const CountsOfGroups&>(other).counts_;
    counts_.resize(groups);
    for (uint64_t i = 0; i < next.size(); ++i) counts_[numbers[i]] += next[i];
  }
  void save(StateWriter& to) const override { to.put_all(counts_); }
  void load(StateReader& from, uint64_t groups) override {
    counts_ = from.take_all<uint64_t>();
    if (counts_.size() != groups) StateReader::fail_damaged();
  }

 protected:
  std::vector<uint64_t> counts_;
};

class CountRows final : public CountsOfGroups {
 public:
  void add(const Values*, const GroupedRows& grouped) override {
    counts_.resize(grouped.groups);
    for (uint64_t i = 0; i < grouped.numbers.size(); ++i) {
      prefetch_group(counts_, grouped, i);
      ++counts_[grouped.numbers[i]];
    }
  }
};

class CountValues final : public CountsOfGroups {
 public:
  void add(const Values* values, const GroupedRows& grouped) override {
    counts_.resize(grouped.groups);
    for_valid(*values, grouped, [&](uint64_t i, uint32_t) { ++counts_[grouped.numbers[i]]; });
  }
};

// The sum of T, or the mean.
template <class T>
class SumOfGroups final : public GroupState {
 public:
  explicit SumOfGroups(Function function) : function_(function) {}

  void add(const Values* values, const GroupedRows& grouped) override {
    sums_.resize(grouped.groups);
    for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
      prefetch_group(sums_, grouped, i);
      One& one = sums_[grouped.numbers[i]];
      one.sum += value_of<T>(*values, row);
      ++one.count;
    });
  }
  ScalarView result(uint32_t number) const override {
    const auto& [sum, count] = sums_[number];
    if (count == 0) return {};
    if (function_ == Function::Mean) {
      return static_cast<double>(sum) / static_cast<double>(count);
    }
    const std::optional<Scalar> scalar = in_64_bits(sum);
    if (!scalar) fail(ErrorKind::Limit, {}, "the sum of a group does not fit 64 bits");
    return view_of(*scalar);
  }
  uint64_t bytes() const override { return sums_.capacity() * sizeof(One); }
  void append(const GroupState& other, std::span<const uint32_t> numbers,
              uint64_t groups) override {
    const auto& next = static_cast<const SumOfGroups&>(other);
    sums_.resize(groups);
    for (uint64_t i = 0; i < next.sums_.size(); ++i) {
      sums_[numbers[i]].sum += next.sums_[i].sum;
      sums_[numbers[i]].count += next.sums_[i].count;
    }
  }
  void save(StateWriter& to) const override {
    to.put(uint64_t{sums_.size()});
    for (const One& one : sums_) {
      to.put(one.sum);
      to.put(one.count);
    }
  }
  void load(StateReader& from, uint64_t groups) override {
    from.expect(groups);
    sums_.resize(groups);
    for (One& one : sums_) {
      one.sum = from.take<Int128>();
      one.count = from.take<uint64_t>();
    }
  }

 private:
  struct One {
    Int128 sum{};
    uint64_t count = 0;
  };
  const Function function_;
  std::vector<One> sums_;
};
template <class T>
requires std::is_floating_point_v<T>
class SumOfGroups<T> final : public GroupState {
 public:
  explicit SumOfGroups(Function function) : function_(function) {}

  void add(const Values* values, const GroupedRows& grouped) override {
    constexpr uint64_t kAhead = 16, kMany = 16'384;
    resize(grouped.groups);
    const std::span<const uint32_t> numbers = grouped.numbers;
    for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
      if (grouped.groups >= kMany && i + kAhead < numbers.size()) {
        sums_.prefetch(numbers[i + kAhead]);
      }
      sums_.add(numbers[i], double{value_of<T>(*values, row)});
      ++counts_[numbers[i]];
    });
  }
  ScalarView result(uint32_t number) const override {
    const uint64_t count = counts_[number];
    if (count == 0) return {};
    const double sum = sums_.rounded(number);
    return function_ == Function::Mean ? sum / static_cast<double>(count) : sum;
  }
  uint64_t bytes() const override { return sums_.bytes() + counts_.capacity() * sizeof(uint64_t); }
  void append(const GroupState& other, std::span<const uint32_t> numbers,
              uint64_t groups) override {
    const auto& next = static_cast<const SumOfGroups&>(other);
    resize(groups);
    for (uint32_t i = 0; i < next.counts_.size(); ++i) {
      sums_.add(numbers[i], next.sums_, i);
      counts_[numbers[i]] += next.counts_[i];
    }
  }
  void save(StateWriter& to) const override {
    sums_.save(to);
    to.put_all(counts_);
  }
  void load(StateReader& from, uint64_t groups) override {
    sums_.load(from);
    counts_ = from.take_all<uint64_t>();
    if (sums_.size() != groups || counts_.size() != groups) StateReader::fail_damaged();
  }

 private:
  void resize(uint64_t groups) {
    sums_.resize(groups);
    counts_.resize(groups);
  }

  const Function function_;
  ExactSums sums_;
  std::vector<uint64_t> counts_;
};

// The least or the greatest number.
template <class T>
class ExtremeOfGroups final : public GroupState {
 public:
  explicit ExtremeOfGroups(bool greatest) : greatest_(greatest) {}

  void add(const Values* values, const GroupedRows& grouped) override {
    extremes_.resize(grouped.groups);
    for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
      const T value = value_of<T>(*values, row);
      prefetch_group(extremes_, grouped, i);
      extremes_[grouped.numbers[i]].add(value, greatest_);
    });
  }
  ScalarView result(uint32_t number) const override { return extremes_[number].result(); }
  uint64_t bytes() const override { return extremes_.capacity() * sizeof(GroupExtreme<T>); }
  void append(const GroupState& other, std::span<const uint32_t> numbers,
              uint64_t groups) override {
    const auto& next = static_cast<const ExtremeOfGroups&>(other).extremes_;
    extremes_.resize(groups);
    for (uint64_t i = 0; i < next.size(); ++i) extremes_[numbers[i]].append(next[i], greatest_);
  }
  void save(StateWriter& to) const override {
    to.put(uint64_t{extremes_.size()});
    for (const auto& extreme : extremes_) extreme.save(to);
  }
  void load(StateReader& from, uint64_t groups) override {
    from.expect(groups);
    extremes_.resize(groups);
    for (auto& extreme : extremes_) extreme.load(from);
  }

 private:
  const bool greatest_;
  std::vector<GroupExtreme<T>> extremes_;
};

// The same of values that are compared as scalars.
class ScalarExtremeOfGroups final : public GroupState {
 public:
  explicit ScalarExtremeOfGroups(bool greatest) : greatest_(greatest) {}

  void add(const Values* values, const GroupedRows& grouped) override {
    extremes_.resize(grouped.groups);
    for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
      text_bytes_ += extremes_[grouped.numbers[i]].add(scalar_at(*values, row), greatest_);
    });
  }
  ScalarView result(uint32_t number) const override { return view_of(extremes_[number].best()); }
  uint64_t bytes() const override {
    return extremes_.capacity() * sizeof(ScalarExtreme) + text_bytes_;
  }
  void append(const GroupState& other, std::span<const uint32_t> numbers,
              uint64_t groups) override {
    const auto& next = static_cast<const ScalarExtremeOfGroups&>(other).extremes_;
    extremes_.resize(groups);
    for (uint64_t i = 0; i < next.size(); ++i) {
      text_bytes_ += extremes_[numbers[i]].add(view_of(next[i].best()), greatest_);
    }
  }
  void save(StateWriter& to) const override {
    to.put(uint64_t{extremes_.size()});
    for (const ScalarExtreme& extreme : extremes_) to.put_scalar(view_of(extreme.best()));
  }
  void load(StateReader& from, uint64_t groups) override {
    from.expect(groups);
    extremes_.resize(groups);
    for (ScalarExtreme& extreme : extremes_) {
      const Scalar best = from.take_scalar();
      text_bytes_ += extreme.add(view_of(best), greatest_);
    }
  }

 private:
  const bool greatest_;
  std::vector<ScalarExtreme> extremes_;
  uint64_t text_bytes_ = 0;  // upper bound
};

// Stores all values with their groups; sorts them by group for the first result.
template <class T>
class QuantileOfGroups final : public GroupState {
 public:
  QuantileOfGroups(double quantile, QuantileKind kind) : quantile_(quantile), kind_(kind) {}

  void add(const Values* values, const GroupedRows& grouped) override {
    groups_ = grouped.groups;
    const bool is_instant = values->type.is(Type::DateTimeOffset);
    for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
      T value;
      if constexpr (std::is_same_v<T, int64_t>)
        value = is_instant ? instant_of(cell_of<DateTimeOffset>(*values, row))
                           : cell_of<T>(*values, row);
      else
        value = cell_of<T>(*values, row);
      if (value != value) return;
      values_.push_back(value);
      numbers_.push_back(grouped.numbers[i]);
    });
  }
  ScalarView result(uint32_t number) const override {
    if (ends_.empty()) put_in_order();
    const uint64_t first = number == 0 ? 0 : ends_[number - 1];
    result_ =
        quantile_of<T>(std::span(values_).subspan(first, ends_[number] - first), quantile_, kind_);
    return view_of(result_);
  }
  void append(const GroupState& other, std::span<const uint32_t> numbers,
              uint64_t groups) override {
    const auto& next = static_cast<const QuantileOfGroups&>(other);
    groups_ = groups;
    values_.insert(values_.end(), next.values_.begin(), next.values_.end());
    for (const uint32_t number : next.numbers_) numbers_.push_back(numbers[number]);
  }
  void save(StateWriter& to) const override {
    to.put(groups_);
    to.put_all(numbers_);
    to.put_all(values_);
  }
  void load(StateReader& from, uint64_t groups) override {
    from.expect(groups);
    groups_ = groups;
    numbers_ = from.take_all<uint32_t>();
    values_ = take_numbers<T>(from);
    if (numbers_.size() != values_.size()) StateReader::fail_damaged();
    for (const uint32_t number : numbers_) {
      if (number >= groups_) StateReader::fail_damaged();
    }
  }
  // Includes the memory for sorting.
  uint64_t bytes() const override {
    return 2 * values_.capacity() * sizeof(T) + numbers_.capacity() * sizeof(uint32_t) +
           groups_ * sizeof(uint64_t);
  }

 private:
  void put_in_order() const {
    std::vector<uint64_t> at(groups_ + 1);
    for (const uint32_t number : numbers_) ++at[number + 1];
    std::partial_sum(at.begin(), at.end(), at.begin());
    std::vector<T> in_order(values_.size());
    for (uint64_t i = 0; i < values_.size(); ++i) in_order[at[numbers_[i]]++] = values_[i];
    values_ = std::move(in_order);
    at.pop_back();
    ends_ = std::move(at);
  }

  const double quantile_;
  const QuantileKind kind_;
  uint64_t groups_ = 0;
  std::vector<uint32_t> numbers_;
  mutable std::vector<T> values_;
  mutable std::vector<uint64_t> ends_;  // of the groups' values; empty: not sorted yet
  mutable Scalar result_;
};

template <template <class> class State, class Argument>
std::unique_ptr<GroupState> make_of(const Type& type, Argument argument) {
  if (type.is(Type::Bool)) return std::make_unique<State<bool>>(argument);
  return visit_cell_type(type, [&]<class T>() -> std::unique_ptr<GroupState> {
    return std::make_unique<State<T>>(argument);
  });
}

std::unique_ptr<GroupState> make_quantile(const Type& type, double quantile) {
  const bool is_number = type.is_integer() || type.is_float();
  const auto kind = is_number ? QuantileKind::Interpolated : QuantileKind::OfValues;
  if (type.is(Type::DateTimeOffset)) {
    return std::make_unique<QuantileOfGroups<int64_t>>(quantile, kind);
  }
  return visit_cell_type(type, [&]<class T>() -> std::unique_ptr<GroupState> {
    return std::make_unique<QuantileOfGroups<T>>(quantile, kind);
  });
}

}  // namespace

std::unique_ptr<GroupState> GroupState::make(const Aggregate& wanted, const Type& type) {
  const Function function = wanted.function;
  if (function == Function::Count) {
    if (!wanted.column) return std::make_unique<CountRows>();
    return std::make_unique<CountValues>();
  }
  if (function == Function::Distinct) return std::make_unique<DistinctOfGroups>();
  if (function == Function::ApproxDistinct) return std::make_unique<ApproxDistinctOfGroups>();
  if (function == Function::Quantile) return make_quantile(type, wanted.quantile);
  if (function == Function::Sum || function == Function::Mean) {
    return make_of<SumOfGroups>(type, function);
  }
  const bool greatest = function == Function::Max;
  const bool is_number = type.is(Type::Bool) || has_number_cells(type);
  if (is_number && !type.is(Type::Key)) {
    return make_of<ExtremeOfGroups>(type, greatest);
  }
  return std::make_unique<ScalarExtremeOfGroups>(greatest);
}

Type group_result_type(Function function, const Type& type, const std::optional<Type>& key_values) {
  if (function == Function::Count || function == Function::Distinct ||
      function == Function::ApproxDistinct) {
    return Type::UInt64;
  }
  if (function == Function::Mean) return Type::Float64;
  if (function == Function::Quantile) return quantile_type(type);
  if (function == Function::Sum) return type.is_float() ? Type::Float64 : Type::Int64;
  if (key_values) return *key_values;
  return type.is(Type::DateTimeOffset) ? Type(Type::DateTime) : type;
}

}  // namespace heron::inline v0
