#include "query/aggregate_state.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "columns/key_column.h"
#include "filter/row_bits.h"
#include "query/distinct_set.h"
#include "query/float_sum.h"
#include "values/scalar.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

using Wanted = AggregateState::Wanted;

// The least and the greatest of cells without NaNs, and which zero is which does not matter.
template <class T>
struct ExtremesOf {
  HERON_INLINE static void run(const std::byte* cells, uint64_t rows, T* least, T* greatest) {
    constexpr uint64_t kWidth = 32 / sizeof(T) * 2;
    T low[kWidth], high[kWidth];
    std::fill_n(low, kWidth, *least);
    std::fill_n(high, kWidth, *greatest);
    uint64_t i = 0;
    for (; i + kWidth <= rows; i += kWidth) {
      for (uint64_t lane = 0; lane < kWidth; ++lane) {
        const T value = load_cell<T>(cells, i + lane);
        low[lane] = value < low[lane] ? value : low[lane];
        high[lane] = value > high[lane] ? value : high[lane];
      }
    }
    for (; i < rows; ++i) {
      const T value = load_cell<T>(cells, i);
      low[0] = value < low[0] ? value : low[0];
      high[0] = value > high[0] ? value : high[0];
    }
    for (uint64_t lane = 0; lane < kWidth; ++lane) {
      *least = low[lane] < *least ? low[lane] : *least;
      *greatest = high[lane] > *greatest ? high[lane] : *greatest;
    }
  }
};

template <class T>
class Extremes {
 public:
  void add(T value) {
    min_ = value < min_ ? value : min_;
    max_ = value > max_ ? value : max_;
  }
  void add_all(const std::byte* cells, uint64_t rows) {
    dispatch<ExtremesOf<T>>(cells, rows, &min_, &max_);
  }
  void append(const Extremes& next) {
    min_ = next.min_ < min_ ? next.min_ : min_;
    max_ = next.max_ > max_ ? next.max_ : max_;
  }
  void finish(AggregateResult& results) const {
    if (min_ > max_) return;
    results.min = scalar(min_);
    results.max = scalar(max_);
  }

 private:
  using Limits = std::numeric_limits<T>;
  static constexpr bool kFloat = std::is_floating_point_v<T>;

  static Scalar scalar(T value) {
    if constexpr (kFloat)
      return value + 0.0;
    else if constexpr (std::is_signed_v<T>)
      return int64_t{value};
    else
      return uint64_t{value};
  }

  T min_ = kFloat ? Limits::infinity() : Limits::max();
  T max_ = kFloat ? -Limits::infinity() : Limits::lowest();
};

template <class T>
class Sum {
 public:
  Sum(uint64_t, uint64_t) {}
  void add(const std::byte* cells, uint64_t rows, const RowIds&) {
    sum_ += dispatch<SumIntegers<T>>(cells, rows).sum;
  }
  bool add_stored(const CellSpan&, const RowIds&, const uint64_t*) { return false; }
  void append(const Sum& next) { sum_ += next.sum_; }
  void finish(AggregateResult& results) { results.integers = sum_; }

 private:
  Int128 sum_ = 0;
};
template <class T>
requires std::is_floating_point_v<T>
class Sum<T> {
 public:
  Sum(uint64_t first_row, uint64_t table_rows) : sum_(first_row, table_rows) {}
  void add(const std::byte* cells, uint64_t rows, const RowIds& row_ids) {
    if (row_ids.rows.empty()) return sum_.template add_cells<T>(row_ids.first, cells, rows);
    for (uint64_t i = 0; i < rows; ++i) {
      sum_.add(row_ids.rows[i], double{load_cell<T>(cells, i)});
    }
  }
  // Where a null is a NaN it makes the sum one, too.
  bool add_stored(const CellSpan& cells, const RowIds& row_ids, const uint64_t* selected) {
    const bool as_values = cells.dictionary == nullptr &&
                           (cells.nulls == NullEncoding::Never || cells.nulls == NullEncoding::NaN);
    return as_values &&
           sum_.template add_block<T>(row_ids.first, cells.cells, cells.rows, selected);
  }
  void append(const Sum& next) { sum_.append(next.sum_); }
  void finish(AggregateResult& results) { results.floats = sum_.total(); }

 private:
  FloatSum sum_;
};

template <class T>
class NumbersGathered final : public AggregateState {
 public:
  NumbersGathered(const Wanted& wanted, uint64_t first_row, uint64_t table_rows) {
    if (wanted.sum) sum_.emplace(first_row, table_rows);
    if (wanted.extremes) extremes_.emplace();
    if (wanted.distinct) distinct_.emplace();
  }

  bool takes_cells() const noexcept override {
    return std::is_floating_point_v<T> && sum_ && !extremes_ && !distinct_;
  }

 private:
  bool add_stored(const CellSpan& cells, const RowIds& row_ids, const uint64_t* selected) override {
    return sum_->add_stored(cells, row_ids, selected);
  }
  void add_values(const ValidRows& valid) override {
    if (valid.values.type.is(Type::DateTimeOffset)) return add_instants(valid);
    const std::byte* cells = valid.values.data.data;
    const uint64_t rows = valid.values.rows;
    if (sum_ && valid.bits == nullptr) sum_->add(cells, rows, valid.row_ids);
    if (sum_ && valid.bits != nullptr) {
      sum_->add(only_valid(cells, valid.bytes(), rows, sizeof(T), valid.arena), rows,
                valid.row_ids);
    }
    if (extremes_ && valid.bits == nullptr) extremes_->add_all(cells, rows);
    if (extremes_ && valid.bits != nullptr) {
      valid.for_each([&](uint64_t row) { extremes_->add(load_cell<T>(cells, row)); });
    }
    if (distinct_) {
      valid.for_each(
          [&](uint64_t row) { distinct_->insert(distinct_bits(load_cell<T>(cells, row))); });
    }
  }
  // By when they are in UTC.
  void add_instants(const ValidRows& valid) {
    if constexpr (std::is_same_v<T, int64_t>) {
      Values instants(Type::DateTime, valid.values.rows);
      auto* cells = valid.arena.allocate_array<int64_t>(instants.rows);
      for (uint64_t row = 0; row < instants.rows; ++row) {
        cells[row] = instant_of(valid.values.get<DateTimeOffset>(row));
      }
      instants.data = {reinterpret_cast<const std::byte*>(cells), instants.rows * sizeof *cells};
      add_values({instants, valid.row_ids, valid.bits, valid.arena});
    }
  }
  void append_values(const AggregateState& state) override {
    const auto& next = static_cast<const NumbersGathered&>(state);
    if (sum_) sum_->append(*next.sum_);
    if (extremes_) extremes_->append(*next.extremes_);
    if (distinct_) distinct_->merge(*next.distinct_);
  }
  void finish_values(AggregateResult& results, const Context&) override {
    if (sum_) sum_->finish(results);
    if (extremes_) extremes_->finish(results);
    if (!distinct_) return;
    results.distinct = distinct_->size();
    results.distinct_is_exact = distinct_->is_exact();
  }

  std::optional<Sum<T>> sum_;
  std::optional<Extremes<T>> extremes_;
  std::optional<NumberSet> distinct_;
};

class BoolsGathered final : public AggregateState {
 private:
  void add_values(const ValidRows& valid) override {
    valid.for_each([&](uint64_t row) { true_ += valid.values.get_bool(row); });
  }
  void append_values(const AggregateState& next) override {
    true_ += static_cast<const BoolsGathered&>(next).true_;
  }
  void finish_values(AggregateResult& results, const Context&) override {
    results.integers = true_;
    if (values() == 0) return;
    results.min = true_ == values();
    results.max = true_ != 0;
    results.distinct = true_ == 0 || true_ == values() ? 1 : 2;
  }

  uint64_t true_ = 0;
};

class TextsGathered final : public AggregateState {
 public:
  explicit TextsGathered(const Wanted& wanted) : has_extremes_(wanted.extremes) {
    if (wanted.distinct) distinct_.emplace();
  }

 private:
  void add_values(const ValidRows& valid) override {
    valid.for_each([&](uint64_t row) {
      const std::string_view text = valid.values.text(row);
      if (has_extremes_) add_extreme(text);
      if (distinct_) distinct_->insert(text);
    });
  }
  void add_extreme(std::string_view text) {
    if (!min_ || text < *min_) min_ = text;
    if (!max_ || text > *max_) max_ = text;
  }
  void append_values(const AggregateState& state) override {
    const auto& next = static_cast<const TextsGathered&>(state);
    if (next.min_) {
      add_extreme(*next.min_);
      add_extreme(*next.max_);
    }
    if (distinct_) distinct_->merge(*next.distinct_);
  }
  void finish_values(AggregateResult& results, const Context&) override {
    if (min_) {
      results.min = *std::move(min_);
      results.max = *std::move(max_);
    }
    if (!distinct_) return;
    results.distinct = distinct_->size();
    results.distinct_is_exact = distinct_->is_exact();
  }

  const bool has_extremes_;
  std::optional<std::string> min_, max_;
  std::optional<TextSet> distinct_;
};

// Which numbers there are is noted; what they stand for is looked at only at the end.
class KeysGathered final : public AggregateState {
 public:
  explicit KeysGathered(const KeyValues& values) : values_(values) {}

 private:
  void add_values(const ValidRows& valid) override {
    seen_.resize(bit_words(valid.values.children[0].rows));
    visit_cell_type(valid.values.type, [&]<class T>() {
      valid.for_each([&](uint64_t row) {
        const uint64_t number = static_cast<uint64_t>(valid.values.get<T>(row)) - 1;
        seen_[number / 64] |= uint64_t{1} << number % 64;
      });
    });
  }
  void append_values(const AggregateState& state) override {
    const auto& next = static_cast<const KeysGathered&>(state);
    seen_.resize(std::max(seen_.size(), next.seen_.size()));
    for (uint64_t i = 0; i < next.seen_.size(); ++i) seen_[i] |= next.seen_[i];
  }
  void finish_values(AggregateResult& results, const Context& context) override {
    if (values() == 0) return;
    const Values& stood_for = values_.values(context);
    std::vector<ScalarView> all;  // several numbers may stand for one value
    for (uint64_t number = 0; number < stood_for.rows; ++number) {
      if ((seen_[number / 64] >> number % 64 & 1) == 0) continue;
      all.push_back(scalar_at(stood_for, number));
    }
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return compare(a, b) < 0; });
    const auto others = std::unique(
        all.begin(), all.end(), [](const auto& a, const auto& b) { return compare(a, b) == 0; });
    all.erase(others, all.end());
    results.distinct = all.size();
    const auto first = std::find_if_not(all.begin(), all.end(), is_nothing);
    if (first == all.end()) return;
    results.min = owned(*first);
    results.max = owned(all.back());
  }
  // Or a NaN.
  static bool is_nothing(const ScalarView& value) {
    const auto* number = std::get_if<double>(&value);
    return std::holds_alternative<std::monostate>(value) ||
           (number != nullptr && *number != *number);
  }

  const KeyValues& values_;
  std::vector<uint64_t> seen_;  // a bit for each number from 1 on
};

class CountGathered final : public AggregateState {
  void add_values(const ValidRows&) override {}
  void append_values(const AggregateState&) override {}
  void finish_values(AggregateResult&, const Context&) override {}
};

}  // namespace

std::unique_ptr<AggregateState> AggregateState::make(const Column& column, const Wanted& wanted,
                                                     uint64_t first_row, uint64_t table_rows) {
  const Type& type = column.type();
  const bool only_counted = !wanted.sum && !wanted.extremes && !wanted.distinct;
  if (type.is(Type::Null) || only_counted || !has_scalars(type)) {
    return std::make_unique<CountGathered>();
  }
  if (type.is(Type::Bool)) return std::make_unique<BoolsGathered>();
  if (type.is_text()) return std::make_unique<TextsGathered>(wanted);
  if (const KeyValues* values = column.key_values()) {
    return std::make_unique<KeysGathered>(*values);
  }
  const auto numbers = [&]<class T>() -> std::unique_ptr<AggregateState> {
    return std::make_unique<NumbersGathered<T>>(wanted, first_row, table_rows);
  };
  if (type.is(Type::DateTimeOffset)) return numbers.template operator()<int64_t>();
  return visit_cell_type(type, numbers);
}

void AggregateState::add(const Values& values, const RowIds& row_ids, const uint64_t* selected,
                         Arena& arena) {
  if (values.null_count == values.rows) return;
  const uint64_t words = bit_words(values.rows);
  const uint64_t* bits = selected;
  uint64_t count = values.rows;
  if (values.null_count != 0) {
    auto* both = arena.allocate_array<uint64_t>(words);
    both[words - 1] = 0;
    std::memcpy(both, values.validity.data, bitmap_bytes(values.rows));
    both[words - 1] &= low_bits((values.rows - 1) % 64 + 1);
    if (selected != nullptr) {
      for (uint64_t i = 0; i < words; ++i) both[i] &= selected[i];
    }
    bits = both;
  }
  if (bits != nullptr) count = count_bits({bits, words});
  if (count == 0) return;
  values_ += count;
  add_values({values, row_ids, bits, arena});
}

AggregateResult AggregateState::finish(const Context& context) {
  AggregateResult results;
  results.values = values_;
  finish_values(results, context);
  return results;
}

}  // namespace heron::inline v0
