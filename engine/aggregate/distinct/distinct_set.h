// Sets of distinct values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "aggregate/distinct/hyper_log_log.h"
#include "aggregate/keys/group_index.h"
#include "aggregate/keys/text_index.h"
#include "base/fail.h"
#include "base/zeroed_array.h"
#include "heron/error.h"
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
  // Inserts numbers in order until the next distinct one would need more memory. Returns how many
  // it inserted, at least one. Inserting many numbers at once is several times as fast.
  uint64_t insert_some(std::span<const uint64_t> numbers);
  void merge(const NumberSet& other);
  // Makes room for that many numbers.
  void reserve(uint64_t count);
  template <class Use>
  void for_each(Use use) const {
    if (has_zero_) use(uint64_t{0});
    for (const uint64_t bits : slots_) {
      if (bits != 0) use(bits);
    }
  }

  uint64_t size() const noexcept { return size_ + has_zero_; }
  // Return the bytes that the values need, in any order of insertion, and the bytes held.
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
    if (texts_.size() <= kMaxTexts) return;
    fail(ErrorKind::Limit, {}, "more than ", kMaxTexts, " distinct texts");
  }

  BytesIndex texts_{false};
};

}  // namespace heron::inline v0
