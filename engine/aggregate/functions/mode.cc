// mode: the most frequent value, of equally frequent ones that whose first row comes first. Every
// pair of a group and a value is stored once, with its count.
#include <algorithm>
#include <bit>
#include <vector>

#include "aggregate/functions/function.h"
#include "aggregate/functions/group_values.h"
#include "aggregate/functions/identities.h"

namespace heron::inline v0 {
namespace {

class Modes final : public AggregateState {
 public:
  explicit Modes(const StateOf& of) : type_(value_type(of)), pairs_(of.grouped) {}

  void resize(uint64_t groups) override { best_.resize(groups, kNone); }
  void update(const Values* values, const GroupedRows& grouped) override {
    pairs_.add_rows(*values, grouped,
                    [&](uint32_t i, uint32_t pair, uint32_t value, uint64_t bits) {
                      if (value == bits_.size()) bits_.push_back(bits);
                      count(grouped.numbers[i], pair, value, 1);
                    });
    pairs_.check_size();
  }
  ScalarView result(uint32_t group, const Aggregate&) const override {
    const uint32_t best = pairs_.is_grouped() ? best_[group] : most_frequent();
    if (best == kNone) return {};
    const uint32_t value = counts_[best].value;
    if (pairs_.are_texts()) return pairs_.text(value);
    return value_of(bits_[value]);
  }
  void merge(const AggregateState& state, std::span<const uint32_t> numbers) override {
    const auto& next = static_cast<const Modes&>(state);
    pairs_.check_alike(next.pairs_);
    uint64_t i = 0;
    next.pairs_.for_each([&](GroupValues::Pair pair, const auto& identity) {
      const uint64_t count = next.counts_[i++].count;
      if (numbers[pair.group] != kNoGroup) add(numbers[pair.group], identity, count);
    });
  }
  void save(StateWriter& to) const override {
    pairs_.save(to);
    for (const Count& one : counts_) to.put(one.count);
  }
  void load(StateReader& from) override {
    pairs_.load(from, best_.size());
    bits_ = pairs_.numbers();
    pairs_.for_each([&](GroupValues::Pair pair, const auto&) {
      counts_.push_back({from.take<uint64_t>(), pair.value});
      improve(pair.group, static_cast<uint32_t>(counts_.size() - 1));
    });
  }
  bool merges_fast() const noexcept override { return false; }
  uint64_t bytes() const override {
    return best_.capacity() * sizeof(uint32_t) + counts_.capacity() * sizeof(Count) +
           bits_.capacity() * sizeof(uint64_t) + pairs_.bytes();
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Count {
    uint64_t count;
    uint32_t value;
  };

  void add(uint32_t group, const auto& identity, uint64_t rows) {
    const uint32_t value = pairs_.number_of(identity);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(identity)>, uint64_t>) {
      if (value == bits_.size()) bits_.push_back(identity);
    }
    count(group, pairs_.find_or_add({group, value}), value, rows);
  }
  void count(uint32_t group, uint32_t pair, uint32_t value, uint64_t rows) {
    if (pair == counts_.size()) counts_.push_back({0, value});
    counts_[pair].count += rows;
    if (pairs_.is_grouped()) improve(group, pair);
  }
  // The pair, of all.
  uint32_t most_frequent() const {
    const auto most =
        std::max_element(counts_.begin(), counts_.end(),
                         [](const Count& a, const Count& b) { return a.count < b.count; });
    return most == counts_.end() ? kNone : static_cast<uint32_t>(most - counts_.begin());
  }
  // After the count of a pair grew.
  void improve(uint32_t group, uint32_t pair) {
    uint32_t& best = best_[group];
    if (best == kNone) {
      best = pair;
      return;
    }
    const uint64_t count = counts_[pair].count, most = counts_[best].count;
    if (count > most || (count == most && pair < best)) best = pair;
  }
  ScalarView value_of(uint64_t bits) const {
    if (type_.is(Type::Bool)) return bits != 0;
    if (type_.is_float()) return std::bit_cast<double>(bits);
    if (type_.is(Type::DateTimeOffset)) return static_cast<int64_t>(bits);
    return visit_cell_type(type_, [&]<class T>() { return scalar_of(static_cast<T>(bits)); });
  }

  const Type type_;
  GroupValues pairs_;
  std::vector<Count> counts_;   // of pairs
  std::vector<uint64_t> bits_;  // of values; of texts any
  std::vector<uint32_t> best_;  // the pair of each group, if there are groups
};

std::unique_ptr<AggregateState> make_modes(const StateOf& of) {
  return std::make_unique<Modes>(of);
}

}  // namespace

extern const AggregateFunction kMode{
    .name = "mode",
    .lacks = " are not told from each other",
    .state = [](const StateOf&) -> StateMaker { return make_modes; }};

}  // namespace heron::inline v0
