// States of groups that count distinct values.
#pragma once

#include <algorithm>
#include <vector>

#include "aggregate/distinct_set.h"
#include "aggregate/group_states.h"
#include "aggregate/state_bytes.h"
#include "values/cells.h"

namespace heron::inline v0 {

// Calls use(i, row) for each row with a value.
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

inline bool stands_for_values(const Values& values) {
  return values.type.is(Type::Key) && !values.children.empty();
}

// Calls use(i, identity) for each value. The identity, a uint64_t or a text, is the same for values
// that are not distinct.
template <class Use>
void for_identities(const Values& values, const GroupedRows& grouped, Use use) {
  const Type& type = values.type;
  if (type.is(Type::Bool)) {
    for_valid(values, grouped,
              [&](uint64_t i, uint32_t row) { use(i, uint64_t{values.get_bool(row)}); });
  } else if (type.is_text()) {
    for_valid(values, grouped, [&](uint64_t i, uint32_t row) { use(i, values.text(row)); });
  } else if (has_number_cells(type) && !stands_for_values(values)) {
    visit_cell_type(type, [&]<class T>() {
      for_valid(values, grouped,
                [&](uint64_t i, uint32_t row) { use(i, distinct_bits(cell_of<T>(values, row))); });
    });
  } else {
    for_valid(values, grouped, [&](uint64_t i, uint32_t row) {
      std::visit(
          [&](const auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::string_view>)
              use(i, value);
            else if constexpr (!std::is_same_v<Value, std::monostate>)
              use(i, distinct_bits(value));
          },
          scalar_at(values, row));
    });
  }
}

// Counts distinct values: stores every pair of a group and a value once.
class DistinctOfGroups final : public GroupState {
 public:
  void add(const Values* values, const GroupedRows& grouped) override {
    counts_.resize(grouped.groups);
    for_identities(*values, grouped,
                   [&](uint64_t i, const auto& identity) { insert(grouped.numbers[i], identity); });
    if (pairs_.size() > kMostPairs) {
      fail(ErrorKind::Limit, {}, "more than 2^31 distinct values of groups");
    }
  }
  ScalarView result(uint32_t number) const override { return counts_[number]; }
  void append(const GroupState& other, std::span<const uint32_t> numbers,
              uint64_t groups) override {
    const auto& next = static_cast<const DistinctOfGroups&>(other);
    const bool has_texts = texts_.size() + next.texts_.size() != 0;
    if (has_texts && numbers_.size() + next.numbers_.size() != 0) StateReader::fail_damaged();
    counts_.resize(groups);
    next.for_each([&](uint32_t group, const auto& identity) { insert(numbers[group], identity); });
  }
  void save(StateWriter& to) const override {
    to.put(uint64_t{counts_.size()});
    to.put(uint64_t{texts_.size()});
    for (uint32_t i = 0; i < texts_.size(); ++i) to.put(texts_.key_of(i));
    to.put_all(numbers_.keys());
    to.put_all(pairs_.keys());
  }
  void load(StateReader& from, uint64_t groups) override {
    from.expect(groups);
    counts_.resize(groups);
    const uint64_t texts = from.take_count(sizeof(uint64_t));
    for (uint64_t i = 0; i < texts; ++i) number_of(from.take_text());
    for (const uint64_t bits : from.take_all<uint64_t>()) number_of(bits);
    const auto pairs = from.take_all<uint64_t>();
    if (texts_.size() != 0 && numbers_.size() != 0) from.fail_damaged();
    const uint32_t known = texts_.size() + numbers_.size();
    for (const uint64_t pair : pairs) {
      if (pair >> 32 >= groups || static_cast<uint32_t>(pair) >= known) from.fail_damaged();
      add_pair(static_cast<uint32_t>(pair >> 32), static_cast<uint32_t>(pair));
    }
  }
  uint64_t bytes() const override {
    return counts_.capacity() * sizeof(uint64_t) + pairs_.bytes() + texts_.bytes() +
           numbers_.bytes();
  }

 private:
  static constexpr uint32_t kMostPairs = uint32_t{1} << 31;

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
  uint32_t number_of(std::string_view text) { return texts_.find_or_add(text, hash_of(text)); }

  std::vector<uint64_t> counts_;
  NumberIndex pairs_, numbers_;
  BytesIndex texts_;
};

class ApproxDistinctOfGroups final : public GroupState {
 public:
  void add(const Values* values, const GroupedRows& grouped) override {
    sketches_.resize(grouped.groups);
    for_identities(*values, grouped, [&](uint64_t i, const auto& identity) {
      HyperLogLog& sketch = sketches_[grouped.numbers[i]];
      const uint64_t before = sketch.bytes();
      sketch.add(sketch_hash(identity));
      bytes_ += sketch.bytes() - before;
    });
  }
  ScalarView result(uint32_t number) const override { return sketches_[number].estimate(); }
  void append(const GroupState& other, std::span<const uint32_t> numbers,
              uint64_t groups) override {
    const auto& next = static_cast<const ApproxDistinctOfGroups&>(other).sketches_;
    sketches_.resize(groups);
    for (uint64_t i = 0; i < next.size(); ++i) {
      HyperLogLog& sketch = sketches_[numbers[i]];
      const uint64_t before = sketch.bytes();
      sketch.merge(next[i]);
      bytes_ += sketch.bytes() - before;
    }
  }
  void save(StateWriter& to) const override {
    to.put(uint64_t{sketches_.size()});
    for (const HyperLogLog& sketch : sketches_) sketch.save(to);
  }
  void load(StateReader& from, uint64_t groups) override {
    from.expect(groups);
    sketches_.resize(groups);
    for (HyperLogLog& sketch : sketches_) {
      sketch.load(from);
      bytes_ += sketch.bytes();
    }
  }
  uint64_t bytes() const override { return sketches_.capacity() * sizeof(HyperLogLog) + bytes_; }

 private:
  std::vector<HyperLogLog> sketches_;
  uint64_t bytes_ = 0;
};

}  // namespace heron::inline v0
