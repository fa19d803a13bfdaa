#include "aggregate/aggregate_state.h"

#include <algorithm>
#include <cassert>

#include "aggregate/bool_state.h"
#include "aggregate/number_state.h"
#include "columns/key_column.h"

namespace heron::inline v0 {
namespace {

using Wanted = AggregateState::Wanted;

class TextState final : public AggregateState {
 public:
  explicit TextState(const Wanted& wanted) : wanted_(wanted), distinct_(wanted.distinct_limits) {}
  uint64_t bytes() const override { return distinct_.bytes() + sketch_.bytes(); }

 private:
  void add_values(const ValidRows& valid) override {
    if (wanted_.distinct) add_distinct(valid);
    if (!wanted_.extremes && !wanted_.approximate_distinct) return;
    valid.for_each([&](uint64_t row) {
      const std::string_view text = valid.values.text(row);
      if (wanted_.extremes) add_extreme(text);
      if (wanted_.approximate_distinct) sketch_.add(sketch_hash(text));
    });
  }
  // All hashes first, so that the slots are in the cache when they are needed.
  void add_distinct(const ValidRows& valid) {
    constexpr uint64_t kAhead = 16;
    auto* hashes = valid.arena.allocate_array<uint64_t>(valid.values.rows + kAhead);
    uint64_t count = 0;
    valid.for_each([&](uint64_t row) { hashes[count++] = hash_of(valid.values.text(row)); });
    std::fill_n(hashes + count, kAhead, uint64_t{0});
    uint64_t i = 0;
    valid.for_each([&](uint64_t row) {
      distinct_.prefetch(hashes[i + kAhead]);
      distinct_.insert(valid.values.text(row), hashes[i++]);
    });
  }
  void add_extreme(std::string_view text) {
    min_.add(text, false);
    max_.add(text, true);
  }
  void append_values(const AggregateState& state) override {
    const auto& next = static_cast<const TextState&>(state);
    min_.add(view_of(next.min_.best()), false);
    max_.add(view_of(next.max_.best()), true);
    distinct_.merge(next.distinct_);
    sketch_.merge(next.sketch_);
  }
  void save_values(StateWriter& to, const Context&) const override {
    to.put_scalar(view_of(min_.best()));
    to.put_scalar(view_of(max_.best()));
    if (wanted_.distinct) distinct_.save(to);
    if (wanted_.approximate_distinct) sketch_.save(to);
  }
  void load_values(StateReader& from) override {
    for (const bool greatest : {false, true}) {
      const Scalar text = from.take_scalar(Type::Text);
      (greatest ? max_ : min_).add(view_of(text), greatest);
    }
    if (wanted_.distinct) distinct_.load(from);
    if (wanted_.approximate_distinct) sketch_.load(from);
  }
  void finish_values(AggregateResult& results, const Context&) override {
    results.min = min_.best();
    results.max = max_.best();
    results.distinct = distinct_.count();
    results.distinct_is_exact = distinct_.is_exact();
    results.approximate_distinct = sketch_.estimate();
  }

  const Wanted wanted_;
  ScalarExtreme min_, max_;
  DistinctCounter<TextSet> distinct_;
  HyperLogLog sketch_;
};

void keep_distinct(std::vector<ScalarView>& all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return compare(a, b) < 0; });
  const auto others = std::unique(all.begin(), all.end(),
                                  [](const auto& a, const auto& b) { return compare(a, b) == 0; });
  all.erase(others, all.end());
}

// Of the values of keys; several numbers may have had the same.
void finish_values_of(std::span<const ScalarView> all, AggregateResult& results) {
  ScalarExtreme min, max;
  for (const ScalarView& value : all) {
    min.add(value, false);
    max.add(value, true);
  }
  results.distinct = results.approximate_distinct = all.size();
  results.min = min.best();
  results.max = max.best();
}

// Notes which key numbers occur; their values are looked up only at the end.
class KeyState final : public AggregateState {
 public:
  explicit KeyState(const KeyValues& values) : values_(values) {}

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
    const auto& next = static_cast<const KeyState&>(state);
    seen_.resize(std::max(seen_.size(), next.seen_.size()));
    for (uint64_t i = 0; i < next.seen_.size(); ++i) seen_[i] |= next.seen_[i];
  }
  void finish_values(AggregateResult& results, const Context& context) override {
    finish_values_of(seen_values(context), results);
  }
  void save_values(StateWriter& to, const Context& context) const override {
    const std::vector<ScalarView> all = seen_values(context);
    to.put(uint64_t{all.size()});
    for (const ScalarView& value : all) to.put_scalar(value);
  }
  // It is loaded as SavedKeyState.
  void load_values(StateReader&) override { StateReader::fail_damaged(); }

  std::vector<ScalarView> seen_values(const Context& context) const {
    std::vector<ScalarView> all;
    if (values() == 0) return all;
    const Values& stood_for = values_.values(context);
    for (uint64_t number = 0; number < stood_for.rows; ++number) {
      if ((seen_[number / 64] >> number % 64 & 1) == 0) continue;
      all.push_back(scalar_at(stood_for, number));
    }
    keep_distinct(all);
    return all;
  }

  const KeyValues& values_;
  std::vector<uint64_t> seen_;  // a bit for each number from 1 on
};

// The same of values themselves, once the file with the keys is closed.
class SavedKeyState final : public AggregateState {
 public:
  explicit SavedKeyState(const Type& type) : type_(type) {}

 private:
  void add_values(const ValidRows&) override { assert(false); }
  void append_values(const AggregateState& state) override {
    const auto& next = static_cast<const SavedKeyState&>(state);
    all_.insert(all_.end(), next.all_.begin(), next.all_.end());
    std::vector<ScalarView> views;
    for (const Scalar& value : all_) views.push_back(view_of(value));
    keep_distinct(views);
    std::vector<Scalar> kept;
    for (const ScalarView& value : views) kept.push_back(owned(value));
    all_ = std::move(kept);
  }
  void finish_values(AggregateResult& results, const Context&) override {
    std::vector<ScalarView> views;
    for (const Scalar& value : all_) views.push_back(view_of(value));
    finish_values_of(views, results);
  }
  void save_values(StateWriter& to, const Context&) const override {
    to.put(uint64_t{all_.size()});
    for (const Scalar& value : all_) to.put_scalar(view_of(value));
  }
  void load_values(StateReader& from) override {
    all_.resize(from.take_count(1));
    for (Scalar& value : all_) value = from.take_scalar(type_);
  }

  const Type type_;
  std::vector<Scalar> all_;  // each once, in order
};

class CountState final : public AggregateState {
  void add_values(const ValidRows&) override {}
  void append_values(const AggregateState&) override {}
  void save_values(StateWriter&, const Context&) const override {}
  void load_values(StateReader&) override {}
  void finish_values(AggregateResult&, const Context&) override {}
};

bool only_counts(const Wanted& wanted) {
  return !wanted.sum && !wanted.extremes && wanted.only_arithmetic();
}

}  // namespace

std::unique_ptr<AggregateState> AggregateState::make(const Column& column, const Wanted& wanted,
                                                     uint64_t first_row, uint64_t table_rows) {
  if (const KeyValues* values = column.key_values(); values != nullptr && !only_counts(wanted)) {
    return std::make_unique<KeyState>(*values);
  }
  return make_saved(column.type(), std::nullopt, wanted, table_rows, first_row);
}

std::unique_ptr<AggregateState> AggregateState::make_saved(const Type& type,
                                                           const std::optional<Type>& key_values,
                                                           const Wanted& wanted,
                                                           uint64_t table_rows,
                                                           uint64_t first_row) {
  if (type.is(Type::Null) || only_counts(wanted) || !has_scalars(type)) {
    return std::make_unique<CountState>();
  }
  if (type.is(Type::Bool)) return std::make_unique<BoolState>();
  if (type.is_text()) return std::make_unique<TextState>(wanted);
  if (key_values) return std::make_unique<SavedKeyState>(*key_values);
  const auto numbers = [&]<class T>() -> std::unique_ptr<AggregateState> {
    return std::make_unique<NumberState<T>>(type, wanted, first_row, table_rows);
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
