#include "query/group_states.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "columns/key_column.h"
#include "query/aggregates.h"
#include "query/distinct_set.h"
#include "query/quantile.h"
#include "query/running_values.h"
#include "values/cells.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;

// Calls use(i, row) for each row with a value.
template <class Use>
void for_valid(const Values& values, const GroupedRows& grouped, Use use) {
  const auto& rows = grouped.rows;
  if (values.type.is(Type::Null)) return;
  if (values.null_count == 0) {
    for (uint64_t i = 0; i < rows.size(); ++i) use(i, rows[i]);
    return;
  }
  for (uint64_t i = 0; i < rows.size(); ++i) {
    if (!values.is_null(rows[i])) use(i, rows[i]);
  }
}

template <class T>
T cell_of(const Values& values, uint64_t row) {
  if constexpr (std::is_same_v<T, bool>)
    return values.get_bool(row);
  else
    return values.get<T>(row);
}

// If there are many groups, their states are not in the cache: prefetches that of a later row.
template <class State>
void prefetch_group(const std::vector<State>& states, const GroupedRows& grouped, uint64_t i) {
  constexpr uint64_t kAhead = 16, kMany = 16'384;
  if (states.size() < kMany || i + kAhead >= grouped.numbers.size()) return;
  __builtin_prefetch(&states[grouped.numbers[i + kAhead]], 1);
}

class CountRows final : public GroupState {
 public:
  void add(const Values*, const GroupedRows& grouped) override {
    counts_.resize(grouped.groups);
    for (uint64_t i = 0; i < grouped.numbers.size(); ++i) {
      prefetch_group(counts_, grouped, i);
      ++counts_[grouped.numbers[i]];
    }
  }
  ScalarView result(uint32_t number) const override { return counts_[number]; }
  uint64_t bytes() const override { return counts_.capacity() * sizeof(uint64_t); }

 private:
  std::vector<uint64_t> counts_;
};

class CountValues final : public GroupState {
 public:
  void add(const Values* values, const GroupedRows& grouped) override {
    counts_.resize(grouped.groups);
    for_valid(*values, grouped, [&](uint64_t i, uint32_t) { ++counts_[grouped.numbers[i]]; });
  }
  ScalarView result(uint32_t number) const override { return counts_[number]; }
  uint64_t bytes() const override { return counts_.capacity() * sizeof(uint64_t); }

 private:
  std::vector<uint64_t> counts_;
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
      one.sum += cell_of<T>(*values, row);
      ++one.count;
    });
  }
  ScalarView result(uint32_t number) const override {
    const auto& [sum, count] = sums_[number];
    if (count == 0) return {};
    if (function_ == Function::Mean) {
      return static_cast<double>(sum) / static_cast<double>(count);
    }
    if constexpr (std::is_floating_point_v<T>) {
      return sum;
    } else {
      const std::optional<Scalar> scalar = in_64_bits(sum);
      if (!scalar) fail(ErrorKind::Limit, {}, "the sum of a group does not fit 64 bits");
      return view_of(*scalar);
    }
  }
  uint64_t bytes() const override { return sums_.capacity() * sizeof(One); }

 private:
  struct One {
    RunningSum<T> sum{};
    uint64_t count = 0;
  };
  const Function function_;
  std::vector<One> sums_;
};

// The least or the greatest number.
template <class T>
class ExtremeOfGroups final : public GroupState {
 public:
  explicit ExtremeOfGroups(bool greatest) : greatest_(greatest) {}

  void add(const Values* values, const GroupedRows& grouped) override {
    extremes_.resize(grouped.groups);
    for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
      const T value = cell_of<T>(*values, row);
      prefetch_group(extremes_, grouped, i);
      extremes_[grouped.numbers[i]].add(value, greatest_);
    });
  }
  ScalarView result(uint32_t number) const override { return extremes_[number].result(); }
  uint64_t bytes() const override { return extremes_.capacity() * sizeof(GroupExtreme<T>); }

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

 private:
  const bool greatest_;
  std::vector<ScalarExtreme> extremes_;
  uint64_t text_bytes_ = 0;  // upper bound
};

bool stands_for_values(const Values& values) {
  return values.type.is(Type::Key) && !values.children.empty();
}

// Calls use(i, identity) for each value. The identity, a uint64_t or a text, is the same for values
// that are not distinct.
template <class Use>
void for_identities(const Values& values, const GroupedRows& grouped, Use use) {
  const Type& type = values.type;
  if (type.is(Type::Bool)) {
    for_valid(values, grouped,
              [&](uint64_t i, uint32_t row) { use(i, uint64_t{values.get_bool(row)}); });
  } else if (type.is_text()) {
    for_valid(values, grouped, [&](uint64_t i, uint32_t row) { use(i, values.text(row)); });
  } else if (has_number_cells(type) && !stands_for_values(values)) {
    visit_cell_type(type, [&]<class T>() {
      for_valid(values, grouped,
                [&](uint64_t i, uint32_t row) { use(i, distinct_bits(values.get<T>(row))); });
    });
  } else {
    for_valid(values, grouped, [&](uint64_t i, uint32_t row) {
      std::visit(
          [&](const auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::string_view>)
              use(i, value);
            else if constexpr (!std::is_same_v<Value, std::monostate>)
              use(i, distinct_bits(value));
          },
          scalar_at(values, row));
    });
  }
}

// Counts distinct values: stores every pair of a group and a value once.
class DistinctOfGroups final : public GroupState {
 public:
  void add(const Values* values, const GroupedRows& grouped) override {
    counts_.resize(grouped.groups);
    for_identities(*values, grouped, [&](uint64_t i, const auto& identity) {
      const uint64_t pair = uint64_t{grouped.numbers[i]} << 32 | number_of(identity);
      const uint32_t known = pairs_.size();
      if (pairs_.find_or_add(pair) == known) ++counts_[grouped.numbers[i]];
    });
    if (pairs_.size() > kMostPairs) {
      fail(ErrorKind::Limit, {}, "more than 2^31 distinct values of groups");
    }
  }
  ScalarView result(uint32_t number) const override { return counts_[number]; }
  uint64_t bytes() const override {
    return counts_.capacity() * sizeof(uint64_t) + pairs_.bytes() + texts_.bytes() +
           numbers_.bytes();
  }

 private:
  static constexpr uint32_t kMostPairs = uint32_t{1} << 31;

  uint32_t number_of(uint64_t identity) { return numbers_.find_or_add(identity); }
  uint32_t number_of(std::string_view text) { return texts_.find_or_add(text, hash_of(text)); }

  std::vector<uint64_t> counts_;
  NumberIndex pairs_, numbers_;
  BytesIndex texts_;
};

class ApproxDistinctOfGroups final : public GroupState {
 public:
  void add(const Values* values, const GroupedRows& grouped) override {
    sketches_.resize(grouped.groups);
    for_identities(*values, grouped, [&](uint64_t i, const auto& identity) {
      HyperLogLog& sketch = sketches_[grouped.numbers[i]];
      const uint64_t before = sketch.bytes();
      sketch.add(sketch_hash(identity));
      bytes_ += sketch.bytes() - before;
    });
  }
  ScalarView result(uint32_t number) const override { return sketches_[number].estimate(); }
  uint64_t bytes() const override { return sketches_.capacity() * sizeof(HyperLogLog) + bytes_; }

 private:
  std::vector<HyperLogLog> sketches_;
  uint64_t bytes_ = 0;
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
        value = is_instant ? instant_of(values->get<DateTimeOffset>(row)) : values->get<T>(row);
      else
        value = values->get<T>(row);
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

std::unique_ptr<GroupState> GroupState::make(const Aggregate& wanted, const Column* column) {
  const Function function = wanted.function;
  if (function == Function::Count) {
    if (column == nullptr) return std::make_unique<CountRows>();
    return std::make_unique<CountValues>();
  }
  const Type& type = column->type();
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

Type group_result_type(Function function, const Column* column, const Context& context) {
  if (function == Function::Count || function == Function::Distinct ||
      function == Function::ApproxDistinct) {
    return Type::UInt64;
  }
  if (function == Function::Mean) return Type::Float64;
  const Type& type = column->type();
  if (function == Function::Quantile) return quantile_type(type);
  if (function == Function::Sum) return type.is_float() ? Type::Float64 : Type::Int64;
  if (const KeyValues* stood_for = column->key_values()) return stood_for->type(context);
  return type.is(Type::DateTimeOffset) ? Type(Type::DateTime) : type;
}

}  // namespace heron::inline v0
