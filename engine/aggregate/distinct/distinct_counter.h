// Counts distinct values. A counter whose set would need too much memory logs its values, which
// spill to a file, or switches to a sketch. Counters of parts of a column, merged in any order,
// give the result of a single counter.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "aggregate/distinct/distinct_log.h"
#include "aggregate/distinct/distinct_records.h"
#include "aggregate/distinct/distinct_set.h"
#include "aggregate/distinct/hyper_log_log.h"
#include "heron/aggregate.h"
#include "heron/schema.h"

namespace heron::inline v0 {

// The bytes that a summary may use to count the distinct values of a column exactly.
inline uint64_t exact_bytes(const Type& type) noexcept {
  return type.has_bytes() || type.is(Type::Decimal) ? kDistinctTextBytes : kDistinctBytes;
}

// Sizes in bytes beyond which a counter does not grow. At most one of them is set.
struct DistinctLimits {
  uint64_t estimate_beyond = UINT64_MAX;  // switches to a sketch
  uint64_t spill_beyond = UINT64_MAX;     // spills values to a file and stays exact
};

// Counts distinct values. Whether the count is exact depends on the values alone, not on their
// order or on the parts. Set: NumberSet or TextSet.
template <class Set>
class DistinctCounter {
 public:
  using Value = typename Set::Value;

  explicit DistinctCounter(const DistinctLimits& limits) : limits_(limits) {}

  void insert(Value value) {
    sketch_ || logs_ ? insert_late(value) : set_.insert(value);
    keep_limits(1);
  }
  // Inserts many texts, text(i), faster than one after the other.
  template <class TextAt>
  void insert_all(uint64_t count, TextAt text) {
    if (!sketch_ && !logs_) {
      set_.insert_all(count, text);
    } else {
      for (uint64_t i = 0; i < count; ++i) insert_late(text(i));
    }
    keep_limits(count);
  }
  // Inserts many numbers, faster than one by one.
  void insert_all(std::span<const Value> values) {
    while (!sketch_ && !logs_ && !values.empty()) {
      const uint64_t inserted = set_.insert_some(values);
      values = values.subspan(inserted);
      keep_limits(inserted);
    }
    if (values.empty()) return;
    for (const Value value : values) insert_late(value);
    keep_limits(values.size());
  }
  void merge(const DistinctCounter& other) {
    if (other.sketch_) {
      if (!sketch_) estimate_from_here();
      sketch_->merge(*other.sketch_);
    } else if (sketch_ || logs_) {
      other.set_.for_each([this](Value value) { insert(value); });
    } else {
      set_.merge(other.set_);
    }
    if (other.log_) the_log().append(*other.log_);
    keep_limits(other.inserted_);
  }

  // Saves the values. The set must be exact and in memory.
  void save(StateWriter& to) const {
    assert(!sketch_ && !log_);
    to.put(uint64_t{set_.size()});
    set_.for_each([&](Value value) { to.put(value); });
  }
  void load(StateReader& from) {
    const uint64_t count = from.take_count(sizeof(uint64_t));
    for (uint64_t i = 0; i < count; ++i) set_.insert(take(from));
  }

  uint64_t count() const {
    if (sketch_) return sketch_->estimate();
    return log_ ? count_logged() : set_.size();
  }
  bool is_exact() const noexcept { return !sketch_; }
  // The sketch that takes all further values; null as long as the set is exact.
  HyperLogLog* sketch() noexcept { return sketch_ ? &*sketch_ : nullptr; }
  uint64_t bytes() const noexcept {
    return sketch_ ? sketch_->bytes() : set_.bytes() + (log_ ? log_->bytes() : 0);
  }

 private:
  using Records =
      std::conditional_t<std::is_same_v<Set, TextSet>, TextRecords, NumberRecords>;

  // A larger set does not fit the caches of a processor.
  static constexpr uint64_t kCached = uint64_t{4} << 20;

  static Value take(StateReader& from) {
    if constexpr (std::is_same_v<Value, std::string_view>)
      return from.take_text();
    else
      return from.take<Value>();
  }
  DistinctLog& the_log() {
    if (!log_) log_.emplace(chunk_bytes());
    return *log_;
  }
  // Chunks that have just begun may take a quarter of the limit.
  uint64_t chunk_bytes() const noexcept {
    constexpr uint64_t kMin = 64, kMax = 64 << 10;
    return std::clamp(limits_.spill_beyond / (4 * DistinctLog::kPartitions), kMin, kMax);
  }
  void log(Value value) { Records::add(value, *log_); }
  // Logs a value, or adds it to the sketch, instead of the set.
  void insert_late(Value value) { sketch_ ? sketch_->add(sketch_hash(value)) : log(value); }

  void keep_limits(uint64_t inserted) {
    inserted_ += inserted;
    if (sketch_) return;
    const uint64_t bytes = set_.needed_bytes();
    if (bytes > limits_.estimate_beyond) return estimate_from_here();
    if (limits_.spill_beyond == UINT64_MAX) return;
    const bool is_mostly_new = inserted_ < 2 * set_.size();
    if (bytes > limits_.spill_beyond ||
        (is_mostly_new && bytes > std::min(kCached, limits_.spill_beyond / 8))) {
      log_set();
    }
    if (log_ && log_->used_bytes() > limits_.spill_beyond) relieve_log();
  }
  void estimate_from_here() {
    sketch_.emplace();
    set_.for_each([this](Value value) { sketch_->add(sketch_hash(value)); });
    set_ = Set();
  }
  // Logs the values of the set, and further ones.
  void log_set() {
    the_log();
    set_.for_each([this](Value value) { log(value); });
    set_ = Set();
    logs_ = true;
  }
  // Drops repeated values from the memory of the log if that halves it, else spills it.
  void relieve_log() {
    constexpr uint64_t kTried = DistinctLog::kPartitions / 32;
    uint64_t records = 0, distinct = 0, partition = 0;
    const auto drop_repeats = [&] {
      Records values;
      records += log_->records_in_memory(partition);
      log_->for_each_in_memory(
          partition, [&](std::span<const std::byte> some) { values.insert(some); });
      distinct += values.size();
      log_->clear_memory(partition++);
      values.for_each([this](Value value) { log(value); });
    };
    while (partition < kTried) drop_repeats();
    while (2 * distinct <= records && partition < DistinctLog::kPartitions) drop_repeats();
    if (log_->used_bytes() <= limits_.spill_beyond / 2) return;
    log_->spill();
    logs_ = false;
    inserted_ = 0;
  }
  uint64_t count_logged() const {
    constexpr uint64_t kMaxReserved = 1 << 20;  // most records may be repeated
    DistinctLog of_set(chunk_bytes());
    set_.for_each([&](Value value) { Records::add(value, of_set); });
    uint64_t count = 0;
    for (uint64_t i = 0; i < DistinctLog::kPartitions; ++i) {
      Records values;
      values.reserve(std::min(log_->records(i) + of_set.records(i), kMaxReserved));
      const auto insert = [&](std::span<const std::byte> records) { values.insert(records); };
      log_->for_each(i, insert);
      of_set.for_each(i, insert);
      count += values.size();
    }
    return count;
  }

  DistinctLimits limits_;
  Set set_;
  uint64_t inserted_ = 0;  // values since the set was empty
  bool logs_ = false;      // further values are logged, and the set stays empty
  std::optional<HyperLogLog> sketch_;
  std::optional<DistinctLog> log_;
};

}  // namespace heron::inline v0
