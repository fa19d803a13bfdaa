// distinct: exact. Of groups, and of keys with values, every pair of a group and a value is stored
// once; of other columns without groups a set of values, which spills (distinct_set.h).
#include <algorithm>

#include "aggregate/functions/function.h"
#include "aggregate/functions/identities.h"

namespace heron::inline v0 {
namespace {

class DistinctPairs final : public AggregateState {
 public:
  void resize(uint64_t groups) override { counts_.resize(groups); }
  void update(const Values* values, const GroupedRows& grouped) override {
    for_identities(*values, grouped,
                   [&](uint64_t i, const auto& identity) { insert(grouped.numbers[i], identity); });
    if (pairs_.size() > kMostPairs) {
      fail(ErrorKind::Limit, {}, "more than 2^31 distinct values of groups");
    }
  }
  ScalarView result(uint32_t group, const Aggregate&) const override { return counts_[group]; }
  void merge(const AggregateState& state, std::span<const uint32_t> numbers) override {
    const auto& next = static_cast<const DistinctPairs&>(state);
    const bool has_texts = texts_.size() + next.texts_.size() != 0;
    if (has_texts && numbers_.size() + next.numbers_.size() != 0) StateReader::fail_damaged();
    next.for_each([&](uint32_t group, const auto& identity) {
      if (numbers[group] != kNoGroup) insert(numbers[group], identity);
    });
  }
  void save(StateWriter& to) const override {
    to.put(uint64_t{texts_.size()});
    for (uint32_t i = 0; i < texts_.size(); ++i) to.put(texts_.key_of(i));
    to.put_all(numbers_.keys());
    to.put_all(pairs_.keys());
  }
  void load(StateReader& from) override {
    const uint64_t texts = from.take_count(sizeof(uint64_t));
    for (uint64_t i = 0; i < texts; ++i) number_of(from.take_text());
    for (const uint64_t bits : from.take_all<uint64_t>()) number_of(bits);
    const auto pairs = from.take_all<uint64_t>();
    if (texts_.size() != 0 && numbers_.size() != 0) from.fail_damaged();
    const uint32_t known = texts_.size() + numbers_.size();
    for (const uint64_t pair : pairs) {
      if (pair >> 32 >= counts_.size() || static_cast<uint32_t>(pair) >= known) from.fail_damaged();
      add_pair(static_cast<uint32_t>(pair >> 32), static_cast<uint32_t>(pair));
    }
  }
  bool merges_fast() const noexcept override { return false; }
  uint64_t bytes() const override {
    return counts_.capacity() * sizeof(uint64_t) + pairs_.bytes() + texts_.bytes() +
           numbers_.bytes();
  }

 private:
  static constexpr uint32_t kMostPairs = uint32_t{1} << 31;

  bool ignores_repeats() const noexcept override { return true; }
  void insert(uint32_t group, const auto& identity) { add_pair(group, number_of(identity)); }
  void add_pair(uint32_t group, uint32_t number) {
    const uint32_t known = pairs_.size();
    if (pairs_.find_or_add(uint64_t{group} << 32 | number) == known) ++counts_[group];
  }
  // use(group, identity) for each pair, in the order in which they came.
  template <class Use>
  void for_each(Use use) const {
    const std::vector<uint64_t> bits = numbers_.keys();
    for (const uint64_t pair : pairs_.keys()) {
      const auto group = static_cast<uint32_t>(pair >> 32), number = static_cast<uint32_t>(pair);
      texts_.size() != 0 ? use(group, texts_.key_of(number)) : use(group, bits[number]);
    }
  }
  uint32_t number_of(uint64_t identity) { return numbers_.find_or_add(identity); }
  uint32_t number_of(std::string_view text) { return texts_.find_or_add(text); }

  std::vector<uint64_t> counts_;
  NumberIndex pairs_, numbers_;
  BytesIndex texts_{true};
};

// T: the C++ type of numbers; std::string_view of texts.
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
      valid.values.type.is(Type::LargeText) ? add_texts<int64_t>(valid) : add_texts<int32_t>(valid);
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
    const auto text_of = [&](uint64_t row) {
      const Offset start = offsets[row];
      return std::string_view(characters + start, static_cast<size_t>(offsets[row + 1] - start));
    };
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
    return std::make_unique<DistinctPairs>();
  }
  if (of.type.is_text()) return std::make_unique<ColumnDistinct<std::string_view>>(of);
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
