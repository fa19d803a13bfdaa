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

// What tells texts apart at a glance: texts with equal tags are equal if they have up to 8 bytes,
// and most likely if they have more.
struct TextTag {
  uint64_t word = 0;      // determined by the bytes of up to 8; the hash of more
  uint32_t size_tag = 0;  // bytes + 1, at most kLong; kNull: null; 0: no text

  static constexpr uint32_t kNull = UINT32_MAX, kLong = UINT32_MAX - 1;
  static constexpr uint64_t kFirst = 0x2D358DCCAA6C78A5u, kSecond = 0x8BB84B93962EACC9u;

  // Whether texts of this tag are compared by it alone.
  bool is_exact() const noexcept { return size_tag <= 9 || size_tag == kNull; }
  // For tables; of up to 8 bytes the same as hash_of() the text.
  uint64_t hash() const noexcept {
    return mixed(((size_tag - uint64_t{1}) * kSecond ^ kFirst) ^ word, kFirst);
  }
};

// Up to 8 bytes in a word; texts of one length have different words.
inline uint64_t word_of_bytes(const char* at, uint64_t bytes) noexcept {
  if (bytes >= 4) {  // two words that overlap
    uint32_t low, high;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + bytes - 4, 4);
    return uint64_t{high} << 32 | low;
  }
  if (bytes == 0) return 0;
  return uint64_t{static_cast<unsigned char>(at[0])} << 16 |
         uint64_t{static_cast<unsigned char>(at[bytes / 2])} << 8 |
         static_cast<unsigned char>(at[bytes - 1]);
}

inline uint64_t hash_of(std::string_view bytes) noexcept {
  const char* at = bytes.data();
  uint64_t left = bytes.size();
  uint64_t hash = left * TextTag::kSecond ^ TextTag::kFirst;
  for (; left > 8; left -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = mixed(hash ^ word, TextTag::kSecond);
  }
  return mixed(hash ^ word_of_bytes(at, left), TextTag::kFirst);
}

// The tag of a text; it need not have data.
inline TextTag tag_of(std::string_view text) noexcept {
  const auto size_tag = static_cast<uint32_t>(std::min<uint64_t>(text.size() + 1, TextTag::kLong));
  return {text.size() <= 8 ? word_of_bytes(text.data(), text.size()) : hash_of(text), size_tag};
}
// The same as hash_of() the text.
inline uint64_t hash_of(const TextTag& tag) noexcept {
  return tag.is_exact() ? tag.hash() : tag.word;
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

// For byte strings, which it copies, and null. One thread at a time.
class BytesIndex {
 public:
  BytesIndex() { set_slots(64); }

  // As in NumberIndex; `tag` is tag_of(key) or that of null.
  uint32_t find_or_add(std::string_view key, const TextTag& tag) {
    for (uint64_t at = slot_of(tag);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.has(tag) && (tag.is_exact() || same_text(key_of(slot.number), key))) {
        return slot.number;
      }
      if (slot.is_free()) return add(key, tag, slot);
    }
  }
  uint32_t find_or_add(std::string_view key) { return find_or_add(key, tag_of(key)); }
  // Finds many keys, faster than one after the other: key(i), which is called for few, and tag(i).
  template <class KeyAt, class TagAt>
  void find_or_add_all(uint64_t count, KeyAt key, TagAt tag, uint32_t* numbers) {
    constexpr uint64_t kAtOnce = 32, kInCache = 4096;
    for (uint64_t first = 0; first < count; first += kAtOnce) {
      const uint64_t last = std::min(first + kAtOnce, count);
      if (size() > kInCache) prefetch(first, last, tag, numbers);
      for (uint64_t i = first; i < last; ++i) {
        const TextTag one = tag(i);
        const Slot& slot = slots_[slot_of(one)];
        numbers[i] = slot.has(one) && one.is_exact() ? slot.number : find_or_add(key(i), one);
      }
    }
  }
  std::string_view key_of(uint32_t number) const noexcept {
    return {characters_.data() + starts_[number], starts_[number + 1] - starts_[number]};
  }

  uint32_t size() const noexcept { return static_cast<uint32_t>(starts_.size() - 1); }
  // The bytes that the keys need, in whatever order they came, and the bytes held.
  uint64_t needed_bytes() const noexcept {
    return characters_.size() + size() * (sizeof(uint64_t) + 2 * sizeof(Slot));
  }
  uint64_t bytes() const noexcept {
    return slots_.size() * sizeof(Slot) + starts_.capacity() * sizeof(uint64_t) +
           characters_.capacity();
  }

 private:
  struct Slot {
    uint64_t word = 0;
    uint32_t size_tag = 0;  // 0: free
    uint32_t number = 0;

    bool has(const TextTag& tag) const noexcept {
      return word == tag.word && size_tag == tag.size_tag;
    }
    bool is_free() const noexcept { return size_tag == 0; }
  };

  uint64_t slot_of(const TextTag& tag) const noexcept { return tag.hash() >> shift_; }
  // The keys of a large index are in no cache: three steps fetch them for many at once.
  template <class TagAt>
  void prefetch(uint64_t first, uint64_t last, TagAt tag, uint32_t* numbers) const {
    bool are_exact = true;
    for (uint64_t i = first; i < last; ++i) {
      __builtin_prefetch(&slots_[slot_of(tag(i))]);
      are_exact &= tag(i).is_exact();
    }
    if (are_exact) return;
    for (uint64_t i = first; i < last; ++i) {
      numbers[i] = likely_number(tag(i));
      __builtin_prefetch(&starts_[numbers[i]]);
    }
    for (uint64_t i = first; i < last; ++i) {
      __builtin_prefetch(characters_.data() + starts_[numbers[i]]);
    }
  }
  // A number, if there is any: that of the key with that tag, if there is one.
  uint32_t likely_number(const TextTag& tag) const noexcept {
    for (uint64_t at = slot_of(tag);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.has(tag) || slot.is_free()) return slot.number;
    }
  }
  uint32_t add(std::string_view key, const TextTag& tag, Slot& slot) {
    const uint32_t number = size();
    characters_.insert(characters_.end(), key.begin(), key.end());
    starts_.push_back(characters_.size());
    slot = {tag.word, tag.size_tag, number};
    // A small table has room for fewer collisions, which are branches that nobody predicts.
    const uint64_t slots_a_key = slots_.size() < kFewSlots ? 4 : 2;
    if (size() * slots_a_key > slots_.size()) grow();
    return number;
  }
  void set_slots(uint64_t count) {
    slots_.assign(count, {});
    shift_ = 64 - std::countr_zero(count);
  }
  // Slots are in the order of hashes: the copies are written one after the other.
  void grow() {
    const auto old = std::move(slots_);
    set_slots(old.size() * 2);
    for (const Slot& slot : old) {
      if (slot.is_free()) continue;
      uint64_t at = slot_of({slot.word, slot.size_tag});
      while (!slots_[at].is_free()) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  static constexpr uint64_t kFewSlots = 16'384;

  std::vector<Slot, HugePageAllocator<Slot>> slots_;
  std::vector<uint64_t, HugePageAllocator<uint64_t>> starts_ = {0};  // and the end of the last
  std::vector<char, HugePageAllocator<char>> characters_;
  int shift_ = 0;
};

}  // namespace heron::inline v0
