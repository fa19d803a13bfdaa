// Maps keys to group numbers: 0, 1, 2, .. in the order of their first rows.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/int128.h"
#include "base/zeroed_array.h"

namespace heron::inline v0 {

inline uint64_t mixed(uint64_t a, uint64_t b) noexcept {
  const UInt128 product = static_cast<UInt128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Returns 0 or 1 in a way that the compiler cannot turn into a branch.
inline uint32_t opaque(bool is_set) noexcept {
  uint32_t bit = is_set;
  asm("" : "+r"(bit));
  return bit;
}

// Returns is_one ? one : other, without a branch.
inline uint32_t chosen(uint32_t is_one, uint32_t one, uint32_t other) noexcept {
  return other ^ ((one ^ other) & (0 - is_one));
}

// Numbers keys that are codes: small numbers, each the index of its group in an array. One thread
// at a time.
class CodeIndex {
 public:
  // All codes are below `codes`.
  explicit CodeIndex(uint32_t codes) : next_numbers_(codes) {}

  // Finds or adds a key as NumberIndex does.
  uint32_t find_or_add(uint32_t code) {
    uint32_t& next_number = next_numbers_[code];
    if (next_number == 0) next_number = ++size_;
    return next_number - 1;
  }
  uint32_t size() const noexcept { return size_; }
  uint64_t bytes() const noexcept { return next_numbers_.size() * sizeof(uint32_t); }

 private:
  std::vector<uint32_t> next_numbers_;  // number + 1 of each code; 0: no group yet
  uint32_t size_ = 0;
};

// A key of two words.
struct WordPair {
  uint64_t low = 0, high = 0;
  bool operator==(const WordPair&) const = default;
};

// The highest bits of a key's hash are the number of its slot in a table. Without the shift,
// multiples of some powers of two, such as a text's number beside a number of 16 bits, would be in
// few slots.
inline uint64_t slot_hash(uint64_t key) noexcept {
  return (key ^ key >> 15) * 0x9E3779B97F4A7C15u;
}
// The half of a hash that a slot stores.
inline uint32_t slot_tag(uint64_t key) noexcept {
  return static_cast<uint32_t>(slot_hash(key) >> 32);
}
inline uint32_t slot_tag(const WordPair& key) noexcept {
  return slot_tag(key.low ^ std::rotl(key.high, 32));  // keeps small numbers apart
}

// The slots of a table, at most half of them in use. A Slot has `next_number`, 0 if it is free, and
// tag().
template <class Slot>
class Slots {
 public:
  const Slot& operator[](uint64_t i) const noexcept { return slots_[i]; }
  uint64_t first_of(uint32_t tag) const noexcept { return tag >> shift_; }
  uint64_t after(uint64_t i) const noexcept { return (i + 1) & mask_; }
  // Fills slot i, which is free; `used` slots are then in use.
  void fill(uint64_t i, const Slot& slot, uint64_t used) {
    slots_[i] = slot;
    if (used * 2 > slots_.size()) grow();
  }
  const Slot* begin() const noexcept { return slots_.begin(); }
  const Slot* end() const noexcept { return slots_.end(); }
  uint64_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

 private:
  // Slots are in the order of tags in the old and the new table: both are passed through once.
  [[gnu::noinline]] void grow() {
    const ZeroedArray<Slot> old = std::exchange(slots_, ZeroedArray<Slot>(slots_.size() * 2));
    mask_ = slots_.size() - 1;
    --shift_;
    for (const Slot& slot : old) {
      if (slot.next_number == 0) continue;
      uint64_t at = first_of(slot.tag());
      while (slots_[at].next_number != 0) at = after(at);
      slots_[at] = slot;
    }
  }

  static constexpr unsigned kFirstBits = 6;
  ZeroedArray<Slot> slots_ = ZeroedArray<Slot>(uint64_t{1} << kFirstBits);
  uint64_t mask_ = (uint64_t{1} << kFirstBits) - 1;  // mask of an index in slots_
  unsigned shift_ = 32 - kFirstBits;
};

// Numbers keys of a word. One thread at a time.
class NumberIndex {
 public:
  // Returns the key's number; a new key gets the next number, size() before the call.
  uint32_t find_or_add(uint64_t key) {
    uint64_t at = slots_.first_of(slot_tag(key));
    // Compares two slots without a branch between them, which nobody could predict.
    const Slot &one = slots_[at], &other = slots_[slots_.after(at)];
    const uint32_t is_one = opaque(one.has(key)), is_other = opaque(other.has(key));
    if ((is_one | is_other) != 0) return chosen(is_one, one.next_number, other.next_number) - 1;
    for (;; at = slots_.after(at)) {
      const Slot& slot = slots_[at];
      if (slot.next_number == 0) break;
      if (slot.key == key) return slot.next_number - 1;
    }
    const uint32_t number = size_++;
    slots_.fill(at, {key, size_}, size_);
    return number;
  }
  // Prefetches the key's slot for a later call with the key.
  void prefetch(uint64_t key) const noexcept {
    __builtin_prefetch(&slots_[slots_.first_of(slot_tag(key))]);
  }
  // Finds many keys, key(i), faster than one after the other.
  template <class KeyAt>
  void find_or_add_all(uint64_t count, KeyAt key, uint32_t* numbers) {
    constexpr uint64_t kAhead = 12;
    for (uint64_t i = 0; i < count; ++i) {
      if (i + kAhead < count) prefetch(key(i + kAhead));
      numbers[i] = find_or_add(key(i));
    }
  }
  std::optional<uint32_t> find(uint64_t key) const {
    for (uint64_t at = slots_.first_of(slot_tag(key));; at = slots_.after(at)) {
      const Slot& slot = slots_[at];
      if (slot.next_number == 0) return std::nullopt;
      if (slot.key == key) return slot.next_number - 1;
    }
  }
  // Returns the keys by number.
  std::vector<uint64_t> keys() const {
    std::vector<uint64_t> all(size_);
    for (const Slot& slot : slots_) {
      if (slot.next_number != 0) all[slot.next_number - 1] = slot.key;
    }
    return all;
  }

  uint32_t size() const noexcept { return size_; }
  uint64_t bytes() const noexcept { return slots_.bytes(); }

 private:
  struct Slot {
    uint64_t key;
    uint32_t next_number;
    uint32_t tag() const noexcept { return slot_tag(key); }
    bool has(uint64_t other) const noexcept { return (key == other) & (next_number != 0); }
  };

  Slots<Slot> slots_;
  uint32_t size_ = 0;
};

// Numbers keys that are mostly new or large: they are stored by number, and slots, which are small,
// name them. One thread at a time.
template <class Key>
class KeyIndex {
 public:
  // Finds or adds a key as NumberIndex does.
  uint32_t find_or_add(const Key& key) {
    const uint32_t tag = slot_tag(key);
    for (uint64_t at = slots_.first_of(tag);; at = slots_.after(at)) {
      const Slot slot = slots_[at];
      if (slot.next_number == 0) {
        keys_.push_back(key);
        slots_.fill(at, {size(), tag}, size());
        return size() - 1;
      }
      if (slot.key_tag == tag && keys_[slot.next_number - 1] == key) return slot.next_number - 1;
    }
  }
  // Finds many keys as NumberIndex does; prefetches the slots of the keys to come, then the keys
  // that these name.
  template <class KeyAt>
  void find_or_add_all(uint64_t count, KeyAt key, uint32_t* numbers) {
    constexpr uint64_t kAhead = 12;
    for (uint64_t i = 0; i < count; ++i) {
      if (i + 2 * kAhead < count) {
        __builtin_prefetch(&slots_[slots_.first_of(slot_tag(key(i + 2 * kAhead)))]);
      }
      if (i + kAhead < count) {
        const Slot slot = slots_[slots_.first_of(slot_tag(key(i + kAhead)))];
        __builtin_prefetch(keys_.data() + slot.next_number - (slot.next_number != 0));
      }
      numbers[i] = find_or_add(key(i));
    }
  }
  // The keys by number; valid until a key is added.
  std::span<const Key> keys() const noexcept { return {keys_.data(), keys_.size()}; }

  uint32_t size() const noexcept { return static_cast<uint32_t>(keys_.size()); }
  uint64_t bytes() const noexcept { return slots_.bytes() + keys_.capacity() * sizeof(Key); }

 private:
  struct Slot {
    uint32_t next_number, key_tag;
    uint32_t tag() const noexcept { return key_tag; }
  };

  Slots<Slot> slots_;
  ZeroedArray<Key> keys_;  // keys by number
};

}  // namespace heron::inline v0
