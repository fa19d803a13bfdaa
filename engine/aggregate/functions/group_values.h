// Numbers pairs of a group and a value that it has, each once, from 0 in the order in which they
// are added. Values are all numbers or all texts. Without groups, pairs are values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "aggregate/aggregate_state.h"
#include "aggregate/functions/identities.h"
#include "aggregate/keys/group_index.h"
#include "aggregate/keys/text_index.h"
#include "aggregate/state_bytes.h"
#include "base/fail.h"

namespace heron::inline v0 {

class GroupValues {
 public:
  struct Pair {
    uint64_t value;  // the identity (identities.h) of a number; the number of a text
    uint32_t group;
  };

  explicit GroupValues(bool grouped) : grouped_(grouped) {}

  bool is_grouped() const noexcept { return grouped_; }

  // Returns the number of a pair; a new pair gets the next number, size() before the call.
  uint32_t find_or_add(uint32_t group, uint64_t bits) {
    return number_pairs_.find_or_add({bits, group});
  }
  uint32_t find_or_add(uint32_t group, std::string_view text) {
    const uint32_t number = texts_.find_or_add(text);
    return grouped_ ? text_pairs_.find_or_add(text_pair(number, group)) : number;
  }
  // Numbers the pairs of all rows with a value, faster than one after the other. Calls use(i, pair)
  // in order of rows, with the row's index in `grouped` and the pair's number.
  template <class Use>
  void add_rows(const Values& column, const GroupedRows& grouped, Use use) {
    Rows& rows = rows_;
    rows.resize(grouped.rows.size());
    uint64_t count = 0;
    bool are_texts = false;
    for_identities(column, grouped, [&](uint64_t i, const auto& identity) {
      rows.indices[count] = static_cast<uint32_t>(i);
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(identity)>, std::string_view>)
        rows.texts[count] = identity, are_texts = true;
      else
        rows.bits[count] = identity;
      ++count;
    });
    const auto group = [&](uint64_t k) { return grouped_ ? grouped.numbers[rows.indices[k]] : 0; };
    uint32_t* const pairs = rows.pairs.data();
    if (!are_texts) {
      const auto pair = [&](uint64_t k) { return WordPair{rows.bits[k], group(k)}; };
      number_pairs_.find_or_add_all(count, pair, pairs);
    } else {
      uint32_t* const numbers = grouped_ ? rows.text_numbers.data() : pairs;
      texts_.find_or_add_all(
          count, [&](uint64_t k) { return rows.texts[k]; }, [](uint64_t) { return false; },
          numbers);
      const auto pair = [&](uint64_t k) { return text_pair(numbers[k], group(k)); };
      if (grouped_) text_pairs_.find_or_add_all(count, pair, pairs);
    }
    for (uint64_t k = 0; k < count; ++k) use(rows.indices[k], pairs[k]);
  }
  uint32_t size() const noexcept {
    if (!are_texts()) return number_pairs_.size();
    return grouped_ ? text_pairs_.size() : texts_.size();
  }
  bool are_texts() const noexcept { return texts_.size() != 0; }
  Pair pair(uint32_t number) const {
    if (!are_texts()) {
      const WordPair& key = number_pairs_.keys()[number];
      return {key.low, static_cast<uint32_t>(key.high)};
    }
    const uint64_t key = grouped_ ? text_pairs_.keys()[number] : number;
    return {key & UINT32_MAX, static_cast<uint32_t>(key >> 32)};
  }
  std::string_view text(uint64_t value) const {
    return texts_.key_of(static_cast<uint32_t>(value));
  }

  // Calls use(group, identity) for each pair, in order.
  template <class Use>
  void for_each(Use use) const {
    for (uint32_t i = 0; i < size(); ++i) {
      const auto [value, group] = pair(i);
      are_texts() ? use(group, text(value)) : use(group, value);
    }
  }
  // Throws Error(Limit) for too many pairs; the limit leaves room for those of one more morsel.
  void check_size() const {
    if (size() > kMaxPairs) {
      fail(ErrorKind::Limit, {}, "more than 2^31 distinct values of groups");
    }
  }
  // Throws Error(Corrupt) if `other` holds values of another kind.
  void check_alike(const GroupValues& other) const {
    const bool differ = are_texts() != other.are_texts();
    if (differ && size() != 0 && other.size() != 0) StateReader::fail_damaged();
  }

  void save(StateWriter& to) const {
    to.put(uint64_t{texts_.size()});
    for (uint32_t i = 0; i < texts_.size(); ++i) to.put(text(i));
    to.put(uint64_t{size()});
    for (uint32_t i = 0; i < size(); ++i) {
      to.put(pair(i).value);
      to.put(pair(i).group);
    }
  }
  // Fills an object without pairs from a saved one, whose groups are below `groups`.
  void load(StateReader& from, uint64_t groups) {
    const uint64_t texts = from.take_count(sizeof(uint64_t));
    for (uint64_t i = 0; i < texts; ++i) texts_.find_or_add(from.take_text());
    const uint64_t pairs = from.take_count(sizeof(uint64_t) + sizeof(uint32_t));
    for (uint64_t i = 0; i < pairs; ++i) {
      const auto value = from.take<uint64_t>();
      const auto group = from.take<uint32_t>();
      if (group >= groups || (are_texts() && value >= texts_.size())) from.fail_damaged();
      if (!are_texts())
        find_or_add(grouped_ ? group : 0, value);
      else if (grouped_)
        text_pairs_.find_or_add(text_pair(static_cast<uint32_t>(value), group));
    }
    if (size() != pairs) from.fail_damaged();
  }
  uint64_t bytes() const { return number_pairs_.bytes() + texts_.bytes() + text_pairs_.bytes(); }

 private:
  static constexpr uint32_t kMaxPairs = uint32_t{1} << 31;

  static uint64_t text_pair(uint32_t number, uint32_t group) noexcept {
    return uint64_t{group} << 32 | number;
  }

  // The rows with a value among those that are added at once.
  struct Rows {
    std::vector<uint32_t> indices, text_numbers, pairs;
    std::vector<uint64_t> bits;
    std::vector<std::string_view> texts;

    void resize(uint64_t count) {
      indices.resize(count);
      text_numbers.resize(count);
      pairs.resize(count);
      bits.resize(count);
      texts.resize(count);
    }
  };

  const bool grouped_;
  KeyIndex<WordPair> number_pairs_;  // pairs of a number and a group
  BytesIndex texts_{true};
  KeyIndex<uint64_t> text_pairs_;  // text_pair() of each text and group; empty without groups
  Rows rows_;
};

}  // namespace heron::inline v0
