#include "query/group_states.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "columns/key_column.h"
#include "query/distinct_set.h"
#include "query/group_index.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;

// use(i, row) for each of the rows with a value.
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

// Where groups are many, the cache does not have them: asks for the state of a later row's group.
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
      if (sum >= INT64_MIN && sum <= INT64_MAX) return static_cast<int64_t>(sum);
      if (sum >= 0 && sum <= UINT64_MAX) return static_cast<uint64_t>(sum);
      fail(ErrorKind::Limit, {}, "the sum of a group does not fit 64 bits");
    }
  }
  uint64_t bytes() const override { return sums_.capacity() * sizeof(One); }

 private:
  struct One {
    std::conditional_t<std::is_floating_point_v<T>, double, Int128> sum{};
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
      One& one = extremes_[grouped.numbers[i]];
      if (value != value) return;
      if (!one.known || (greatest_ ? value > one.value : value < one.value)) one = {value, true};
    });
  }
  ScalarView result(uint32_t number) const override {
    const auto& [value, known] = extremes_[number];
    if (!known) return {};
    if constexpr (std::is_same_v<T, bool>)
      return value;
    else if constexpr (std::is_floating_point_v<T>)
      return value + 0.0;
    else if constexpr (std::is_signed_v<T>)
      return int64_t{value};
    else
      return uint64_t{value};
  }
  uint64_t bytes() const override { return extremes_.capacity() * sizeof(One); }

 private:
  struct One {
    T value{};
    bool known = false;
  };
  const bool greatest_;
  std::vector<One> extremes_;
};

// The same of values that are compared as scalars: texts, what keys stand for, times with an
// offset.
class ScalarExtremeOfGroups final : public GroupState {
 public:
  explicit ScalarExtremeOfGroups(bool greatest) : greatest_(greatest) {}

  void add(const Values* values, const GroupedRows& grouped) override {
    extremes_.resize(grouped.groups);
    for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
      ScalarView value = scalar_at(*values, row);
      if (std::holds_alternative<std::monostate>(value)) return;  // its key stands for null
      if (auto* number = std::get_if<double>(&value)) {
        if (*number != *number) return;
        *number += 0.0;
      }
      Scalar& best = extremes_[grouped.numbers[i]];
      const bool better =
          std::holds_alternative<std::monostate>(best) ||
          (greatest_ ? compare(value, view_of(best)) > 0 : compare(value, view_of(best)) < 0);
      if (!better) return;
      const bool is_text = std::holds_alternative<std::string_view>(value);
      best = owned(value);
      if (is_text) text_bytes_ += std::get<std::string_view>(value).size();
    });
  }
  ScalarView result(uint32_t number) const override { return view_of(extremes_[number]); }
  uint64_t bytes() const override { return extremes_.capacity() * sizeof(Scalar) + text_bytes_; }

 private:
  const bool greatest_;
  std::vector<Scalar> extremes_;
  uint64_t text_bytes_ = 0;  // at most
};

// How many distinct values: every pair of a group and a value, once.
class DistinctOfGroups final : public GroupState {
 public:
  explicit DistinctOfGroups(const Type& type) : type_(type) {}

  void add(const Values* values, const GroupedRows& grouped) override {
    counts_.resize(grouped.groups);
    const auto add_pair = [&](uint64_t i, uint32_t value) {
      const uint64_t pair = uint64_t{grouped.numbers[i]} << 32 | value;
      const uint32_t known = pairs_.size();
      if (pairs_.find_or_add(pair) == known) ++counts_[grouped.numbers[i]];
    };
    if (type_.is(Type::Bool)) {
      for_valid(*values, grouped,
                [&](uint64_t i, uint32_t row) { add_pair(i, values->get_bool(row) ? 1 : 0); });
    } else if (type_.is_text()) {
      for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
        const std::string_view text = values->text(row);
        add_pair(i, texts_.find_or_add(text, hash_of(text)));
      });
    } else if (has_number_cells(type_) && !stands_for_values(*values)) {
      visit_cell_type(type_, [&]<class T>() {
        for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
          add_pair(i, numbers_.find_or_add(distinct_bits(values->get<T>(row))));
        });
      });
    } else {
      for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
        add_scalar(i, scalar_at(*values, row), add_pair);
      });
    }
  }
  ScalarView result(uint32_t number) const override { return counts_[number]; }
  uint64_t bytes() const override {
    return counts_.capacity() * sizeof(uint64_t) + pairs_.bytes() + texts_.bytes() +
           numbers_.bytes();
  }

 private:
  static bool stands_for_values(const Values& values) {
    return values.type.is(Type::Key) && !values.children.empty();
  }
  template <class AddPair>
  void add_scalar(uint64_t i, const ScalarView& value, const AddPair& add_pair) {
    if (const auto* text = std::get_if<std::string_view>(&value)) {
      add_pair(i, texts_.find_or_add(*text, hash_of(*text)));
    } else if (const auto* number = std::get_if<double>(&value)) {
      add_pair(i, numbers_.find_or_add(distinct_bits(*number)));
    } else if (const auto* signed_number = std::get_if<int64_t>(&value)) {
      add_pair(i, numbers_.find_or_add(distinct_bits(*signed_number)));
    } else if (const auto* unsigned_number = std::get_if<uint64_t>(&value)) {
      add_pair(i, numbers_.find_or_add(*unsigned_number));
    } else if (const auto* truth = std::get_if<bool>(&value)) {
      add_pair(i, numbers_.find_or_add(*truth ? 1 : 0));
    }
  }

  const Type type_;
  std::vector<uint64_t> counts_;
  NumberIndex pairs_, numbers_;
  BytesIndex texts_;
};

template <template <class> class State, class Argument>
std::unique_ptr<GroupState> make_of(const Type& type, Argument argument) {
  if (type.is(Type::Bool)) return std::make_unique<State<bool>>(argument);
  return visit_cell_type(type, [&]<class T>() -> std::unique_ptr<GroupState> {
    return std::make_unique<State<T>>(argument);
  });
}

}  // namespace

std::unique_ptr<GroupState> GroupState::make(Function function, const Column* column) {
  if (function == Function::Count) {
    if (column == nullptr) return std::make_unique<CountRows>();
    return std::make_unique<CountValues>();
  }
  const Type& type = column->type();
  if (function == Function::Distinct) return std::make_unique<DistinctOfGroups>(type);
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
  if (function == Function::Count || function == Function::Distinct) return Type::UInt64;
  if (function == Function::Mean) return Type::Float64;
  const Type& type = column->type();
  if (function == Function::Sum) return type.is_float() ? Type::Float64 : Type::Int64;
  if (const KeyValues* stood_for = column->key_values()) return stood_for->type(context);
  return type.is(Type::DateTimeOffset) ? Type(Type::DateTime) : type;
}

}  // namespace heron::inline v0
