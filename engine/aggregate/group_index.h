// Maps keys to group numbers: 0, 1, 2, .. in the order of their first rows.
#pragma once

#include <algorithm>
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
  std::optional<uint32_t> find(const Key& key) const {
    for (uint64_t at = slot_of(key);; at = (at + 1) & (slots_.size() - 1)) {
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
    shift_ = 64 - std::countr_zero(count);
  }
  void grow() {
    const auto old = std::move(slots_);
    set_slots(old.size() * 2);
    for (const Slot& slot : old) {
      if (slot.next_number == 0) continue;
      uint64_t at = slot_of(slot.key);
      while (slots_[at].next_number != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot, HugePageAllocator<Slot>> slots_;
  int shift_ = 0;
  uint32_t size_ = 0;
};
using NumberIndex = KeyIndex<uint64_t>;

// Whether texts are equal; for short ones without a call.
inline bool same_text(std::string_view a, std::string_view b) noexcept {
  const size_t size = a.size();
  if (size != b.size()) return false;
  const auto differ = [&]<class Word>(size_t at, Word) {
    Word of_a, of_b;
    std::memcpy(&of_a, a.data() + at, sizeof of_a);
    std::memcpy(&of_b, b.data() + at, sizeof of_b);
    return of_a ^ of_b;
  };
  if (size > 64) return std::memcmp(a.data(), b.data(), size) == 0;
  if (size >= 8) {
    uint64_t difference = differ(size - 8, uint64_t{});
    for (size_t at = 0; at + 8 < size; at += 8) difference |= differ(at, uint64_t{});
    return difference == 0;
  }
  if (size >= 4) return (differ(0, uint32_t{}) | differ(size - 4, uint32_t{})) == 0;
  for (size_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

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
      if (slot.tag == tag && same_text(key_of(slot.next_number - 1), key)) {
        return slot.next_number - 1;
      }
    }
  }
  // The number of null.
  uint32_t find_or_add_null() {
    if (null_number_ == kNone) {
      null_number_ = size();
      keys_.push_back({0, 0, 0});
    }
    return null_number_;
  }
  // Finds many keys, faster than one after the other: key(i) and hash(i). A key without data is
  // null.
  template <class KeyAt, class HashAt>
  void find_or_add_all(uint64_t count, KeyAt key, HashAt hash, uint32_t* numbers) {
    constexpr uint64_t kAtOnce = 32, kInCache = 4096;
    for (uint64_t first = 0; first < count; first += kAtOnce) {
      const uint64_t last = std::min(first + kAtOnce, count);
      // The keys of a large index are in no cache: three steps fetch them for many at once.
      if (size() > kInCache) {
        for (uint64_t i = first; i < last; ++i) {
          __builtin_prefetch(&slots_[hash(i) & (slots_.size() - 1)]);
        }
        for (uint64_t i = first; i < last; ++i) {
          numbers[i] = likely_number(hash(i));
          __builtin_prefetch(&keys_[numbers[i]]);
        }
        for (uint64_t i = first; i < last; ++i) {
          __builtin_prefetch(characters_.data() + keys_[numbers[i]].start);
        }
      }
      for (uint64_t i = first; i < last; ++i) {
        const std::string_view text = key(i);
        numbers[i] = text.data() == nullptr ? find_or_add_null() : find_or_add(text, hash(i));
      }
    }
  }
  std::string_view key_of(uint32_t number) const noexcept {
    return {characters_.data() + keys_[number].start, keys_[number].bytes};
  }
  uint64_t hash_of_key(uint32_t number) const noexcept { return keys_[number].hash; }

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


  static constexpr uint64_t kFewSlots = 16'384;

  // A number, if there is any: that of the key with that hash, if there is one.
  uint32_t likely_number(uint64_t hash) const noexcept {
    const auto tag = static_cast<uint32_t>(hash >> 32);
    for (uint64_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.next_number == 0) return 0;
      if (slot.tag == tag) return slot.next_number - 1;
    }
  }
  uint32_t add(std::string_view key, uint64_t hash, Slot& slot) {
    keys_.push_back({characters_.size(), key.size(), hash});
    characters_.insert(characters_.end(), key.begin(), key.end());
    slot = {static_cast<uint32_t>(hash >> 32), size()};
    // A small table has room for fewer collisions, which are branches that nobody predicts.
    const uint64_t slots_a_key = slots_.size() < kFewSlots ? 4 : 2;
    if (keys_.size() * slots_a_key > slots_.size()) grow();
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
  std::vector<Key, HugePageAllocator<Key>> keys_;
  std::vector<char, HugePageAllocator<char>> characters_;
  uint32_t null_number_ = kNone;
};

}  // namespace heron::inline v0
