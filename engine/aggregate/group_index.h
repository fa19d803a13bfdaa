// Maps keys to group numbers: 0, 1, 2, .. in the order of their first rows.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/huge_pages.h"
#include "base/int128.h"

namespace heron::inline v0 {

inline uint64_t mixed(uint64_t a, uint64_t b) noexcept {
  const UInt128 product = static_cast<UInt128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash_of(std::string_view bytes) noexcept {
  constexpr uint64_t kFirst = 0x2D358DCCAA6C78A5u, kSecond = 0x8BB84B93962EACC9u;
  const char* at = bytes.data();
  uint64_t left = bytes.size();
  uint64_t hash = left * kSecond ^ kFirst;
  for (; left > 8; left -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = mixed(hash ^ word, kSecond);
  }
  uint64_t word = 0;
  if (left >= 4) {  // two words that overlap
    uint32_t low, high;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + left - 4, 4);
    word = uint64_t{high} << 32 | low;
  } else if (left != 0) {
    word = uint64_t{static_cast<unsigned char>(at[0])} << 16 |
           uint64_t{static_cast<unsigned char>(at[left / 2])} << 8 |
           static_cast<unsigned char>(at[left - 1]);
  }
  return mixed(hash ^ word, kFirst);
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
  uint64_t bytes() const noexcept { return next_numbers_.size() * sizeof(uint32_t); }

 private:
  std::vector<uint32_t> next_numbers_;  // 0: no group yet
  uint32_t size_ = 0;
};

// For 64-bit keys. One thread at a time.
class NumberIndex {
 public:
  NumberIndex() { set_slots(64); }

  // The key's number; a new key gets the next one, size() before the call.
  uint32_t find_or_add(uint64_t key) {
    for (uint64_t at = slot_of(key);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.next_number == 0) {
        slot = {key, ++size_};
        if (size_ * uint64_t{2} > slots_.size()) grow();
        return size_ - 1;
      }
      if (slot.key == key) return slot.next_number - 1;
    }
  }
  std::optional<uint32_t> find(uint64_t key) const {
    for (uint64_t at = slot_of(key);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.next_number == 0) return std::nullopt;
      if (slot.key == key) return slot.next_number - 1;
    }
  }
  // The number for rows with a null key.
  uint32_t find_or_add_null() {
    if (null_number_ == kNone) null_number_ = size_++;
    return null_number_;
  }
  // The keys by number; 0 where the key is null.
  std::vector<uint64_t> keys() const {
    std::vector<uint64_t> all(size_);
    for (const Slot& slot : slots_) {
      if (slot.next_number != 0) all[slot.next_number - 1] = slot.key;
    }
    return all;
  }
  void prefetch(uint64_t key) const noexcept { __builtin_prefetch(&slots_[slot_of(key)]); }

  uint32_t size() const noexcept { return size_; }
  uint64_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t next_number = 0;  // 0: free
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  uint64_t slot_of(uint64_t key) const noexcept { return key * 0x9E3779B97F4A7C15u >> shift_; }
  void set_slots(uint64_t count) {
    slots_.assign(count, {});
    shift_ = 64 - std::countr_zero(count);
  }
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    set_slots(old.size() * 2);
    for (const Slot& slot : old) {
      if (slot.next_number == 0) continue;
      uint64_t at = slot_of(slot.key);
      while (slots_[at].next_number != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  int shift_ = 0;
  uint32_t size_ = 0;
  uint32_t null_number_ = kNone;
};

// For byte strings, which it copies. One thread at a time.
class BytesIndex {
 public:
  BytesIndex() : slots_(32) {}

  // As in NumberIndex; `hash` is hash_of(key).
  uint32_t find_or_add(std::string_view key, uint64_t hash) {
    const auto tag = static_cast<uint32_t>(hash >> 32);
    for (uint64_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.next_number == 0) return add(key, hash, slot);
      if (slot.tag == tag && key_of(slot.next_number - 1) == key) return slot.next_number - 1;
    }
  }
  uint32_t find_or_add_null() {
    if (null_number_ == kNone) {
      null_number_ = size();
      keys_.push_back({0, 0, 0});
    }
    return null_number_;
  }
  void prefetch(uint64_t hash) const noexcept {
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  std::string_view key_of(uint32_t number) const noexcept {
    return {characters_.data() + keys_[number].start, keys_[number].bytes};
  }

  uint32_t size() const noexcept { return static_cast<uint32_t>(keys_.size()); }
  // The bytes that the keys need, in whatever order they came, and the bytes held.
  uint64_t needed_bytes() const noexcept {
    return characters_.size() + keys_.size() * (sizeof(Key) + 2 * sizeof(Slot));
  }
  uint64_t bytes() const noexcept {
    return slots_.size() * sizeof(Slot) + keys_.capacity() * sizeof(Key) + characters_.capacity();
  }

 private:
  struct Slot {
    uint32_t tag = 0;
    uint32_t next_number = 0;  // 0: free
  };
  struct Key {
    uint64_t start, bytes, hash;
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t add(std::string_view key, uint64_t hash, Slot& slot) {
    keys_.push_back({characters_.size(), key.size(), hash});
    characters_.insert(characters_.end(), key.begin(), key.end());
    slot = {static_cast<uint32_t>(hash >> 32), size()};
    if (keys_.size() * 2 > slots_.size()) grow();
    return size() - 1;
  }
  void grow() {
    slots_.assign(slots_.size() * 2, {});
    for (uint32_t number = 0; number < keys_.size(); ++number) {
      if (number == null_number_) continue;
      uint64_t at = keys_[number].hash & (slots_.size() - 1);
      while (slots_[at].next_number != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {static_cast<uint32_t>(keys_[number].hash >> 32), number + 1};
    }
  }

  std::vector<Slot, HugePageAllocator<Slot>> slots_;
  std::vector<Key> keys_;
  std::vector<char> characters_;
  uint32_t null_number_ = kNone;
};

}  // namespace heron::inline v0
