// Pairs of a group and a value that it has, each once: numbered from 0 in the order in which they
// came. A value is its identity (identities.h), all of one kind. Without groups, pairs are values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "aggregate/aggregate_state.h"
#include "aggregate/functions/identities.h"
#include "aggregate/keys/group_index.h"
#include "aggregate/keys/text_index.h"
#include "aggregate/state_bytes.h"

namespace heron::inline v0 {

class GroupValues {
 public:
  struct Pair {
    uint32_t group, value;  // values are numbered, too
  };

  explicit GroupValues(bool grouped) : grouped_(grouped) {}

  bool is_grouped() const noexcept { return grouped_; }

  // The number of a value; a new one gets the next, values() before the call.
  uint32_t number_of(uint64_t bits) { return numbers_.find_or_add(bits); }
  uint32_t number_of(std::string_view text) { return texts_.find_or_add(text); }
  // The number of a pair; a new one gets the next, size() before the call of number_of().
  uint32_t find_or_add(Pair pair) {
    if (!grouped_) return pair.value;
    return pairs_.find_or_add(key_of(pair));
  }
  // Numbers the pairs of all rows with a value, faster than one after the other. Calls
  // use(i, pair, value, bits) in order of rows: i of the row, the pair's number, the value's and,
  // unless it is a text, its identity.
  template <class Use>
  void add_rows(const Values& column, const GroupedRows& grouped, Use use) {
    Rows& rows = rows_;
    rows.resize(grouped.rows.size());
    uint64_t count = 0;
    bool are_texts = false;
    for_identities(column, grouped, [&](uint64_t i, const auto& identity) {
      rows.places[count] = static_cast<uint32_t>(i);
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(identity)>, std::string_view>)
        rows.texts[count] = identity, are_texts = true;
      else
        rows.bits[count] = identity;
      ++count;
    });
    if (are_texts) {
      texts_.find_or_add_all(
          count, [&](uint64_t k) { return rows.texts[k]; }, [](uint64_t) { return false; },
          rows.values.data());
    } else {
      numbers_.find_or_add_all(
          count, [&](uint64_t k) { return rows.bits[k]; }, rows.values.data());
    }
    const std::vector<uint32_t>* pairs = &rows.values;
    if (grouped_) {
      const auto pair = [&](uint64_t k) {
        return key_of({grouped.numbers[rows.places[k]], rows.values[k]});
      };
      pairs_.find_or_add_all(count, pair, rows.pairs.data());
      pairs = &rows.pairs;
    }
    for (uint64_t k = 0; k < count; ++k) {
      use(rows.places[k], (*pairs)[k], rows.values[k], are_texts ? 0 : rows.bits[k]);
    }
  }
  uint32_t size() const noexcept { return grouped_ ? pairs_.size() : values(); }
  uint32_t values() const noexcept { return texts_.size() + numbers_.size(); }
  bool are_texts() const noexcept { return texts_.size() != 0; }
  std::string_view text(uint32_t value) const { return texts_.key_of(value); }
  // Numbers by number of the value; takes a pass over all.
  std::vector<uint64_t> numbers() const { return numbers_.keys(); }

  // use(pair, identity) for each pair, in order.
  template <class Use>
  void for_each(Use use) const {
    const std::vector<uint64_t> bits = numbers();
    for (const uint64_t key : keys()) {
      const Pair pair{static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)};
      are_texts() ? use(pair, text(pair.value)) : use(pair, bits[pair.value]);
    }
  }
  // Throws Error(Limit) for too many pairs, which leaves room for those of one more morsel.
  void check_size() const {
    if (size() > kMostPairs) {
      fail(ErrorKind::Limit, {}, "more than 2^31 distinct values of groups");
    }
  }
  // Throws Error(Corrupt) if the values of the other are of another kind.
  void check_alike(const GroupValues& other) const {
    const bool has_texts = are_texts() || other.are_texts();
    if (has_texts && numbers_.size() + other.numbers_.size() != 0) StateReader::fail_damaged();
  }

  void save(StateWriter& to) const {
    to.put(uint64_t{texts_.size()});
    for (uint32_t i = 0; i < texts_.size(); ++i) to.put(text(i));
    to.put_all(numbers());
    to.put_all(keys());
  }
  // Fills an object without pairs from a saved one, whose groups are below `groups`.
  void load(StateReader& from, uint64_t groups) {
    const uint64_t texts = from.take_count(sizeof(uint64_t));
    for (uint64_t i = 0; i < texts; ++i) number_of(from.take_text());
    for (const uint64_t bits : from.take_all<uint64_t>()) number_of(bits);
    const auto pairs = from.take_all<uint64_t>();
    if (are_texts() && numbers_.size() != 0) from.fail_damaged();
    for (const uint64_t key : pairs) {
      const Pair pair{static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)};
      if (pair.group >= groups || pair.value >= values()) from.fail_damaged();
      find_or_add(pair);
    }
    if (size() != pairs.size()) from.fail_damaged();
  }
  uint64_t bytes() const { return pairs_.bytes() + texts_.bytes() + numbers_.bytes(); }

 private:
  static constexpr uint32_t kMostPairs = uint32_t{1} << 31;

  // A group and a value each, by number of the pair.
  std::vector<uint64_t> keys() const {
    std::vector<uint64_t> all(size());
    grouped_ ? void(std::ranges::copy(pairs_.keys(), all.begin()))
             : std::iota(all.begin(), all.end(), uint64_t{0});
    return all;
  }

  static uint64_t key_of(Pair pair) noexcept { return uint64_t{pair.group} << 32 | pair.value; }

  // The rows with a value among those that are added at once.
  struct Rows {
    std::vector<uint32_t> places, values, pairs;
    std::vector<uint64_t> bits;
    std::vector<std::string_view> texts;

    void resize(uint64_t count) {
      places.resize(count);
      values.resize(count);
      pairs.resize(count);
      bits.resize(count);
      texts.resize(count);
    }
  };

  const bool grouped_;
  KeyIndex<uint64_t> pairs_;
  NumberIndex numbers_;
  BytesIndex texts_{true};
  Rows rows_;
};

}  // namespace heron::inline v0
