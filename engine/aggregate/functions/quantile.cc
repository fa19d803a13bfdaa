// quantile, median. For integers, floats and decimals, as float64, it is interpolated (as in NumPy's default and
// quantile_cont): of n ordered values, numbered from 0, the value at q x (n - 1), interpolated
// between its neighbours. For dates, times and durations it is the least value that at least q of
// the values do not exceed (quantile_disc).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aggregate/functions/as_floats.h"
#include "aggregate/functions/function.h"
#include "aggregate/functions/group_states.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

// Returns the quantile q of the values, none of which is NaN, and reorders them. Null if there are
// none.
template <class T>
ScalarView quantile_of(std::span<T> values, double q, bool interpolated) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  const auto nth = [&](double position) {
    const auto at = std::min(static_cast<uint64_t>(position), values.size() - 1);
    std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(at), values.end());
    return at;
  };
  if (!interpolated) {
    // q x n is subtracted, not rounded up, so that the rounding of q does not count.
    const double position = std::max(0.0, count - std::floor(count - q * count) - 1);
    return scalar_of(values[nth(position)]);
  }
  const double position = q * (count - 1);
  const uint64_t at = nth(std::floor(position));
  const auto low = static_cast<double>(values[at]);
  const double part = position - static_cast<double>(at);
  if (part <= 0 || at + 1 == values.size()) return low + 0.0;
  const auto high = static_cast<double>(
      *std::min_element(values.begin() + static_cast<ptrdiff_t>(at) + 1, values.end()));
  return (low == high ? low : std::lerp(low, high, part)) + 0.0;
}

// Stores all values and, if there are groups, the group of each; sorts them by group for the first
// result.
template <class T>
class Quantiles : public AggregateState {
 public:
  explicit Quantiles(const StateOf& of)
      : grouped_(of.grouped), interpolated_(is_numeric(of.type)) {}

  void resize(uint64_t groups) override { groups_ = groups; }
  void update(const Values* values, const GroupedRows& grouped) override {
    const bool is_instant = values->type.is(Type::DateTimeOffset);
    for_valid(*values, grouped, [&](uint64_t i, uint32_t row) {
      T value;
      if constexpr (std::is_same_v<T, int64_t>)
        value = is_instant ? std::get<int64_t>(scalar_at(*values, row)) : cell_of<T>(*values, row);
      else
        value = cell_of<T>(*values, row);
      if (value != value) return;
      values_.push_back(value);
      if (grouped_) numbers_.push_back(grouped.numbers[i]);
    });
  }
  void update_block(const SelectedValues& block) override {
    const auto valid = block.valid();
    if (!valid) return;
    valid->for_each([&](uint64_t row) {
      const T value = cell_of<T>(valid->values, row);
      if (value == value) values_.push_back(value);
    });
  }
  ScalarView result(uint32_t group, const Aggregate& one) const override {
    if (grouped_ && ends_.empty()) put_in_order();
    const uint64_t first = group == 0 ? 0 : ends_[group - 1];
    const uint64_t last = grouped_ ? ends_[group] : values_.size();
    return quantile_of(std::span(values_).subspan(first, last - first), one.quantile,
                       interpolated_);
  }
  void merge(const AggregateState& state, std::span<const uint32_t> numbers) override {
    const auto& next = static_cast<const Quantiles&>(state);
    ends_.clear();
    values_.insert(values_.end(), next.values_.begin(), next.values_.end());
    for (const uint32_t number : next.numbers_) numbers_.push_back(numbers[number]);
  }
  void save(StateWriter& to) const override {
    to.put_all(numbers_);
    to.put_all(values_);
  }
  void load(StateReader& from) override {
    numbers_ = from.take_all<uint32_t>();
    values_ = from.take_all<T>();
    if (numbers_.size() != (grouped_ ? values_.size() : 0)) StateReader::fail_damaged();
    for (const uint32_t number : numbers_) {
      if (number >= groups_) StateReader::fail_damaged();
    }
    for (const T value : values_) {  // NaN would break the order of the others
      if (value != value) StateReader::fail_damaged();
    }
  }
  bool merges_fast() const noexcept override { return false; }
  // Includes the memory for sorting by group.
  uint64_t bytes() const override {
    const uint64_t bytes = values_.capacity() * sizeof(T);
    return grouped_
               ? 2 * bytes + numbers_.capacity() * sizeof(uint32_t) + groups_ * sizeof(uint64_t)
               : bytes;
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
    numbers_.clear();
    for (uint32_t group = 0; group < groups_; ++group) {
      numbers_.resize(ends_[group], group);
    }
  }

  const bool grouped_, interpolated_;
  uint64_t groups_ = 0;
  mutable std::vector<uint32_t> numbers_;
  mutable std::vector<T> values_;
  mutable std::vector<uint64_t> ends_;  // where each group's values end; empty: not sorted yet
};

std::unique_ptr<AggregateState> make_quantiles(const StateOf& of) {
  if (of.type.is(Type::DateTimeOffset)) return std::make_unique<Quantiles<int64_t>>(of);
  if (of.type.is(Type::Decimal)) return std::make_unique<AsFloats<Quantiles<double>>>(of);
  return visit_cell_type(of.type, [&]<class T>() -> std::unique_ptr<AggregateState> {
    return std::make_unique<Quantiles<T>>(of);
  });
}

}  // namespace

extern const AggregateFunction kQuantile{
    .name = "quantile",
    .usage = "median(x), quantile(x, 0.9)",
    .accepts =
        [](const Type& type) {
          return is_numeric(type) || is_time(type);
        },
    .lacks = " have no quantiles",
    .type =
        [](const StateOf& of) {
          if (is_numeric(of.type)) return Type(Type::Float64);
          return of.type.is(Type::DateTimeOffset) ? Type(Type::DateTime) : of.type;
        },
    .state = [](const StateOf&) -> StateMaker { return make_quantiles; },
    .alias = "median"};

}  // namespace heron::inline v0
