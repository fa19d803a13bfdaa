// Counts distinct values: sets that grow, and counters that spill a set or switch to a sketch if it
// would need too much memory. Counters of parts of a column, merged in any order, give the result
// of a single counter.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "aggregate/distinct_spill.h"
#include "aggregate/hyper_log_log.h"
#include "aggregate/keys/group_index.h"
#include "aggregate/keys/text_index.h"
#include "base/zeroed_array.h"
#include "heron/error.h"
#include "heron/stats.h"
#include "values/canonical.h"

namespace heron::inline v0 {

// The bits that distinguish a number: for floats those of the canonical float64.
template <class T>
uint64_t distinct_bits(T value) noexcept {
  if constexpr (!std::is_floating_point_v<T>)
    return static_cast<uint64_t>(value);
  else
    return std::bit_cast<uint64_t>(canonical(double{value}));
}

// The hash for HyperLogLog.
inline uint64_t sketch_hash(uint64_t bits) noexcept {
  return spread_bits(bits);
}
inline uint64_t sketch_hash(std::string_view text) noexcept {
  return spread_bits(hash_of(text));
}

// A set of 64-bit numbers. One thread at a time.
class NumberSet {
 public:
  using Value = uint64_t;

  void insert(uint64_t bits) { insert_some({&bits, 1}); }
  // Inserts the numbers in order until the next distinct one would need more memory. Returns how
  // many it inserted, at least one. Many numbers at once are inserted several times as fast.
  uint64_t insert_some(std::span<const uint64_t> numbers);
  void merge(const NumberSet& other);
  template <class Use>
  void for_each(Use use) const {
    if (has_zero_) use(uint64_t{0});
    for (const uint64_t bits : slots_) {
      if (bits != 0) use(bits);
    }
  }

  uint64_t size() const noexcept { return size_ + has_zero_; }
  // The bytes that the values need, in any order of insertion, and the bytes held.
  uint64_t needed_bytes() const noexcept { return size_ * 2 * sizeof(uint64_t); }
  uint64_t bytes() const noexcept { return slots_.capacity() * sizeof(uint64_t); }

 private:
  using Slots = ZeroedArray<uint64_t>;

  static constexpr uint64_t kFirstSlots = 64;  // a wide table has many sets, most of them small

  static uint64_t slot_of(uint64_t bits, int shift) noexcept { return slot_hash(bits) >> shift; }
  void set_slots(uint64_t count);

  Slots slots_;  // 0: a free slot; empty before the first insert
  int shift_ = 64;
  uint64_t size_ = 0;  // numbers other than 0
  bool has_zero_ = false;
};

// A set of at most 2^32 - 2049 texts. One thread at a time.
class TextSet {
 public:
  using Value = std::string_view;

  void insert(std::string_view text) {
    texts_.find_or_add(text);
    check_size();
  }
  // Inserts many texts, text(i), faster.
  template <class TextAt>
  void insert_all(uint64_t count, TextAt text) {
    std::array<uint32_t, 1024> numbers;
    for (uint64_t first = 0; first < count; first += numbers.size()) {
      texts_.find_or_add_all(
          std::min<uint64_t>(count - first, numbers.size()),
          [&](uint64_t i) { return text(first + i); }, [](uint64_t) { return false; },
          numbers.data());
      check_size();
    }
  }
  void merge(const TextSet& other) {
    texts_.reserve_for(other.texts_);
    other.for_each([this](std::string_view text) { texts_.find_or_add(text); });
    check_size();
  }
  template <class Use>
  void for_each(Use use) const {
    texts_.for_each(use);
  }

  uint64_t size() const noexcept { return texts_.size(); }
  uint64_t needed_bytes() const noexcept { return texts_.needed_bytes(); }
  uint64_t bytes() const noexcept { return texts_.bytes(); }

 private:
  void check_size() const {
    constexpr uint32_t kMaxTexts = UINT32_MAX - 2048;  // 2048: more than are inserted at once
    if (texts_.size() > kMaxTexts) fail(ErrorKind::Limit, {}, "more than ", kMaxTexts, " distinct texts");
  }

  BytesIndex texts_{false};
};

// The bytes that a summary may use to count the distinct values of a column exactly.
inline uint64_t exact_bytes(const Type& type) noexcept {
  return type.is_text() ? kDistinctTextBytes : kDistinctBytes;
}

// The sizes of a set, in bytes, beyond which a counter gives it up.
struct DistinctLimits {
  uint64_t estimate_beyond = UINT64_MAX;  // switches to a sketch
  uint64_t spill_beyond = UINT64_MAX;     // spills values to a file and stays exact
};

// Counts distinct values. Whether the count is exact depends on the values alone, not on their
// order or on the parts.
template <class Set>
class DistinctCounter {
 public:
  using Value = typename Set::Value;

  explicit DistinctCounter(const DistinctLimits& limits) : limits_(limits) {}

  void insert(Value value) {
    if (sketch_) return sketch_->add(sketch_hash(value));
    set_.insert(value);
    keep_limits();
  }
  // Inserts many texts, text(i), faster than one after the other.
  template <class TextAt>
  void insert_all(uint64_t count, TextAt text) {
    if (sketch_) {
      for (uint64_t i = 0; i < count; ++i) sketch_->add(sketch_hash(text(i)));
      return;
    }
    set_.insert_all(count, text);
    keep_limits();
  }
  // Inserts many numbers, faster than one by one.
  void insert_all(std::span<const Value> values) {
    while (!sketch_ && !values.empty()) {
      values = values.subspan(set_.insert_some(values));
      keep_limits();
    }
    if (!sketch_) return;
    for (const Value value : values) sketch_->add(sketch_hash(value));
  }
  void merge(const DistinctCounter& other) {
    if (other.sketch_) {
      if (!sketch_) estimate_from_here();
      sketch_->merge(*other.sketch_);
    } else if (sketch_ || other.spill_) {
      other.set_.for_each([this](Value value) { insert(value); });
    } else {
      set_.merge(other.set_);
      keep_limits();
    }
    if (other.spill_) spill().append(*other.spill_);
  }

  // Saves the values. The set must be exact and in memory.
  void save(StateWriter& to) const {
    assert(!sketch_ && !spill_);
    to.put(uint64_t{set_.size()});
    set_.for_each([&](Value value) { to.put(value); });
  }
  void load(StateReader& from) {
    const uint64_t count = from.take_count(sizeof(uint64_t));
    for (uint64_t i = 0; i < count; ++i) set_.insert(take(from));
  }

  uint64_t count() const {
    if (sketch_) return sketch_->estimate();
    return spill_ ? count_spilled() : set_.size();
  }
  bool is_exact() const noexcept { return !sketch_; }
  // The sketch that takes all further values; null as long as the set is exact.
  HyperLogLog* sketch() noexcept { return sketch_ ? &*sketch_ : nullptr; }
  uint64_t bytes() const noexcept { return sketch_ ? sketch_->bytes() : set_.bytes(); }

 private:
  static Value take(StateReader& from) {
    if constexpr (std::is_same_v<Value, std::string_view>)
      return from.take_text();
    else
      return from.take<Value>();
  }
  static uint64_t partition_of(Value value) noexcept {
    return sketch_hash(value) % DistinctSpill::kPartitions;
  }
  DistinctSpill& spill() {
    if (spill_ == nullptr) spill_ = std::make_unique<DistinctSpill>();
    return *spill_;
  }
  void keep_limits() {
    const uint64_t bytes = set_.needed_bytes();
    if (bytes > limits_.estimate_beyond) return estimate_from_here();
    if (bytes > limits_.spill_beyond) spill_set();
  }
  void estimate_from_here() {
    sketch_.emplace();
    set_.for_each([this](Value value) { sketch_->add(sketch_hash(value)); });
    set_ = Set();
  }
  void spill_set() {
    StateWriter records[DistinctSpill::kPartitions];
    set_.for_each([&](Value value) { records[partition_of(value)].put(value); });
    set_ = Set();
    for (uint64_t i = 0; i < DistinctSpill::kPartitions; ++i) {
      spill().write(i, std::move(records[i]).finish());
    }
  }
  uint64_t count_spilled() const {
    std::vector<Set> in_memory(DistinctSpill::kPartitions);
    set_.for_each([&](Value value) { in_memory[partition_of(value)].insert(value); });
    uint64_t count = 0;
    for (uint64_t i = 0; i < DistinctSpill::kPartitions; ++i) {
      Set all = std::exchange(in_memory[i], Set());
      spill_->for_each(i, [&](std::span<const std::byte> records) {
        for (StateReader from(records); !from.empty();) all.insert(take(from));
      });
      count += all.size();
    }
    return count;
  }

  DistinctLimits limits_;
  Set set_;
  std::optional<HyperLogLog> sketch_;
  std::unique_ptr<DistinctSpill> spill_;
};

}  // namespace heron::inline v0
