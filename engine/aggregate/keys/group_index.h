// Maps keys to group numbers: 0, 1, 2, .. in the order of their first rows.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/huge_pages.h"
#include "base/int128.h"

namespace heron::inline v0 {

inline uint64_t mixed(uint64_t a, uint64_t b) noexcept {
  const UInt128 product = static_cast<UInt128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// 0 or 1 that the compiler knows nothing about, so that it makes no branch of it.
inline uint32_t opaque(bool is_set) noexcept {
  uint32_t bit = is_set;
  asm("" : "+r"(bit));
  return bit;
}

// is_one ? one : other, without a branch.
inline uint32_t chosen(uint32_t is_one, uint32_t one, uint32_t other) noexcept {
  return other ^ ((one ^ other) & (0 - is_one));
}

// For keys that are codes: small numbers, each the place of its group in an array. One thread at a
// time.
class CodeIndex {
 public:
  // All codes are below `codes`.
  explicit CodeIndex(uint32_t codes) : next_numbers_(codes) {}

  // As in NumberIndex.
  uint32_t find_or_add(uint32_t code) {
    uint32_t& next_number = next_numbers_[code];
    if (next_number == 0) next_number = ++size_;
    return next_number - 1;
  }
  uint32_t size() const noexcept { return size_; }
  uint64_t bytes() const noexcept { return next_numbers_.size() * sizeof(uint32_t); }

 private:
  std::vector<uint32_t> next_numbers_;  // 0: no group yet
  uint32_t size_ = 0;
};

// A key of two words.
struct WordPair {
  uint64_t low = 0, high = 0;
  bool operator==(const WordPair&) const = default;
};

// A table for keys of a word or of two. One thread at a time.
template <class Key>
class KeyIndex {
 public:
  KeyIndex() { set_slots(64); }

  // The key's number; a new key gets the next one, size() before the call.
  uint32_t find_or_add(const Key& key) {
    uint64_t at = slot_of(key);
    // Two slots without a branch between them, which nobody could predict.
    const Slot &one = slots_[at], &other = slots_[(at + 1) & mask_];
    const uint32_t is_one = opaque(one.has(key)), is_other = opaque(other.has(key));
    if ((is_one | is_other) != 0) return chosen(is_one, one.next_number, other.next_number) - 1;
    for (;; at = (at + 1) & mask_) {
      Slot& slot = slots_[at];
      if (slot.next_number == 0) {
        slot = {key, ++size_};
        if (size_ * uint64_t{2} > slots_.size()) grow();
        return size_ - 1;
      }
      if (slot.key == key) return slot.next_number - 1;
    }
  }
  std::optional<uint32_t> find(const Key& key) const {
    for (uint64_t at = slot_of(key);; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.next_number == 0) return std::nullopt;
      if (slot.key == key) return slot.next_number - 1;
    }
  }
  // The keys by number.
  std::vector<Key> keys() const {
    std::vector<Key> all(size_);
    for (const Slot& slot : slots_) {
      if (slot.next_number != 0) all[slot.next_number - 1] = slot.key;
    }
    return all;
  }
  void prefetch(const Key& key) const noexcept { __builtin_prefetch(&slots_[slot_of(key)]); }

  uint32_t size() const noexcept { return size_; }
  uint64_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    Key key = {};
    uint32_t next_number = 0;  // 0: free
    bool has(const Key& other) const noexcept { return (key == other) & (next_number != 0); }
  };

  static uint64_t word_of(uint64_t key) noexcept { return key; }
  static uint64_t word_of(const WordPair& key) noexcept {
    return key.low ^ std::rotl(key.high, 32);  // small numbers stay apart
  }
  uint64_t slot_of(const Key& key) const noexcept {
    return word_of(key) * 0x9E3779B97F4A7C15u >> shift_;
  }
  void set_slots(uint64_t count) {
    slots_.assign(count, {});
    mask_ = count - 1;
    shift_ = 64 - std::countr_zero(count);
  }
  void grow() {
    const auto old = std::move(slots_);
    set_slots(old.size() * 2);
    for (const Slot& slot : old) {
      if (slot.next_number == 0) continue;
      uint64_t at = slot_of(slot.key);
      while (slots_[at].next_number != 0) at = (at + 1) & mask_;
      slots_[at] = slot;
    }
  }

  std::vector<Slot, HugePageAllocator<Slot>> slots_;
  uint64_t mask_ = 0;  // of an index in slots_
  int shift_ = 0;
  uint32_t size_ = 0;
};
using NumberIndex = KeyIndex<uint64_t>;

}  // namespace heron::inline v0
