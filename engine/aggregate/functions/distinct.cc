// distinct: exact. For groups, and for keys with values, every pair of a group and a value is
// stored once; for other columns without groups, a set of values, which spills (distinct_set.h).
#include <algorithm>

#include "aggregate/functions/function.h"
#include "aggregate/functions/group_values.h"
#include "aggregate/functions/identities.h"

namespace heron::inline v0 {
namespace {

class DistinctPairs final : public AggregateState {
 public:
  explicit DistinctPairs(const StateOf& of) : pairs_(of.grouped) {}

  void resize(uint64_t groups) override { counts_.resize(groups); }
  void update(const Values* values, const GroupedRows& grouped) override {
    uint32_t known = pairs_.size();
    pairs_.add_rows(*values, grouped, [&](uint32_t i, uint32_t pair) {
      if (pair != known) return;
      ++counts_[grouped.numbers[i]];
      ++known;
    });
    pairs_.check_size();
  }
  ScalarView result(uint32_t group, const Aggregate&) const override { return counts_[group]; }
  void merge(const AggregateState& state, std::span<const uint32_t> numbers) override {
    const auto& next = static_cast<const DistinctPairs&>(state);
    pairs_.check_alike(next.pairs_);
    next.pairs_.for_each([&](uint32_t group, const auto& identity) {
      if (numbers[group] != kNoGroup) insert(numbers[group], identity);
    });
  }
  void save(StateWriter& to) const override { pairs_.save(to); }
  void load(StateReader& from) override {
    pairs_.load(from, counts_.size());
    for (uint32_t i = 0; i < pairs_.size(); ++i) ++counts_[pairs_.pair(i).group];
  }
  bool merges_fast() const noexcept override { return false; }
  uint64_t bytes() const override {
    return counts_.capacity() * sizeof(uint64_t) + pairs_.bytes();
  }

  bool ignores_repeats() const noexcept override { return true; }

 private:
  void insert(uint32_t group, const auto& identity) {
    const uint32_t known = pairs_.size();
    if (pairs_.find_or_add(group, identity) == known) ++counts_[group];
  }

  std::vector<uint64_t> counts_;
  GroupValues pairs_;
};

// T: the C++ type of numbers; std::string_view for texts, binary and decimals.
template <class T>
class ColumnDistinct final : public AggregateState {
 public:
  explicit ColumnDistinct(const StateOf& of) : counter_(of.distinct_limits) {}

  void resize(uint64_t) override {}
  void update_block(const SelectedValues& block) override {
    if (const auto valid = block.valid()) add(*valid);
  }
  ScalarView result(uint32_t, const Aggregate&) const override { return counter_.count(); }
  bool is_exact() const noexcept override { return counter_.is_exact(); }
  bool merges_fast() const noexcept override { return !kTexts; }
  bool ignores_repeats() const noexcept override { return true; }
  void merge(const AggregateState& next, std::span<const uint32_t>) override {
    counter_.merge(static_cast<const ColumnDistinct&>(next).counter_);
  }
  void save(StateWriter& to) const override { counter_.save(to); }
  void load(StateReader& from) override { counter_.load(from); }
  uint64_t bytes() const override { return counter_.bytes(); }

 private:
  static constexpr bool kTexts = std::is_same_v<T, std::string_view>;

  void add(const ValidRows& valid) {
    if constexpr (kTexts) {
      if (valid.values.type.is(Type::Decimal))
        add_bytes(valid, [&](uint64_t row) { return decimal_bytes(valid.values, row); });
      else if (valid.values.type.has_large_offsets())
        add_texts<int64_t>(valid);
      else
        add_texts<int32_t>(valid);
    } else if (HyperLogLog* const estimate = counter_.sketch(); estimate != nullptr) {
      add_to<T>(*estimate, valid);
    } else {
      auto* numbers = valid.arena.template allocate_array<uint64_t>(valid.count);
      uint64_t i = 0;
      valid.for_each(
          [&](uint64_t row) { numbers[i++] = distinct_bits(cell_of<T>(valid.values, row)); });
      counter_.insert_all({numbers, i});
    }
  }

  template <class Offset>
  void add_texts(const ValidRows& valid) {
    const auto* offsets = valid.values.offsets.template as<Offset>();
    const Buffer& data = valid.values.data;
    const char* characters = data.data == nullptr ? "" : data.as<char>();
    add_bytes(valid, [&](uint64_t row) {
      const Offset start = offsets[row];
      return std::string_view(characters + start, static_cast<size_t>(offsets[row + 1] - start));
    });
  }

  template <class BytesOf>
  void add_bytes(const ValidRows& valid, BytesOf text_of) {
    if (valid.bits == nullptr) return counter_.insert_all(valid.count, text_of);
    auto* rows = valid.arena.template allocate_array<uint32_t>(valid.count);
    uint64_t i = 0;
    valid.for_each([&](uint64_t row) { rows[i++] = static_cast<uint32_t>(row); });
    counter_.insert_all(i, [&](uint64_t k) { return text_of(rows[k]); });
  }

  DistinctCounter<std::conditional_t<kTexts, TextSet, NumberSet>> counter_;
};

}  // namespace

std::unique_ptr<AggregateState> make_distinct(const StateOf& of) {
  if (of.grouped || of.key_values || of.type.is(Type::Null)) {
    return std::make_unique<DistinctPairs>(of);
  }
  if (of.type.has_bytes() || of.type.is(Type::Decimal)) {
    return std::make_unique<ColumnDistinct<std::string_view>>(of);
  }
  if (of.type.is(Type::DateTimeOffset)) return std::make_unique<ColumnDistinct<int64_t>>(of);
  return visit_cell_type(of.type, [&]<class T>() -> std::unique_ptr<AggregateState> {
    return std::make_unique<ColumnDistinct<T>>(of);
  });
}

extern const AggregateFunction kDistinct{.name = "distinct",
                                         .lacks = " are not told from each other",
                                         .type = count_type,
                                         .state = [](const StateOf& of) -> StateMaker {
                                           return of.type.is(Type::Bool) ? make_bools
                                                                         : make_distinct;
                                         }};

}  // namespace heron::inline v0
