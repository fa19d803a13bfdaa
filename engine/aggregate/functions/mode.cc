// mode: the most frequent value; of equally frequent values, the one whose first row comes first.
// Every pair of a group and a value is stored once, with its count.
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
                    [&](uint32_t i, uint32_t pair) { count(grouped.numbers[i], pair, 1); });
    pairs_.check_size();
  }
  ScalarView result(uint32_t group, const Aggregate&) const override {
    const uint32_t best = pairs_.is_grouped() ? best_[group] : most_frequent();
    if (best == kNone) return {};
    const uint64_t value = pairs_.pair(best).value;
    if (type_.is(Type::Decimal)) return units_of(pairs_.text(value));
    if (pairs_.are_texts()) return pairs_.text(value);
    return value_of(value);
  }
  void merge(const AggregateState& state, std::span<const uint32_t> numbers) override {
    const auto& next = static_cast<const Modes&>(state);
    pairs_.check_alike(next.pairs_);
    uint64_t i = 0;
    next.pairs_.for_each([&](uint32_t from, const auto& identity) {
      const uint64_t rows = next.counts_[i++];
      const uint32_t group = numbers[from];
      if (group != kNoGroup) count(group, pairs_.find_or_add(group, identity), rows);
    });
  }
  void save(StateWriter& to) const override {
    pairs_.save(to);
    for (const uint64_t count : counts_) to.put(count);
  }
  void load(StateReader& from) override {
    pairs_.load(from, best_.size());
    for (uint32_t i = 0; i < pairs_.size(); ++i) {
      counts_.push_back(from.take<uint64_t>());
      improve(pairs_.pair(i).group, i);
    }
  }
  bool merges_fast() const noexcept override { return false; }
  uint64_t bytes() const override {
    return best_.capacity() * sizeof(uint32_t) + counts_.capacity() * sizeof(uint64_t) +
           pairs_.bytes();
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  void count(uint32_t group, uint32_t pair, uint64_t rows) {
    if (pair == counts_.size()) counts_.push_back(0);
    counts_[pair] += rows;
    if (pairs_.is_grouped()) improve(group, pair);
  }
  // Finds the pair with the highest count of all.
  uint32_t most_frequent() const {
    const auto most = std::max_element(counts_.begin(), counts_.end());
    return most == counts_.end() ? kNone : static_cast<uint32_t>(most - counts_.begin());
  }
  // Updates the best pair of a group after the count of a pair grew.
  void improve(uint32_t group, uint32_t pair) {
    uint32_t& best = best_[group];
    if (best == kNone) {
      best = pair;
      return;
    }
    const uint64_t count = counts_[pair], most = counts_[best];
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
  std::vector<uint64_t> counts_;  // rows of each pair
  std::vector<uint32_t> best_;    // the best pair of each group, if there are groups
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
