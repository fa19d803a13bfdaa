// Maps keys to group numbers: 0, 1, 2, .. in the order of their first rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/huge_pages.h"
#include "base/int128.h"

namespace heron::inline v0 {

inline uint64_t mixed(uint64_t a, uint64_t b) noexcept {
  const UInt128 product = static_cast<UInt128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// What tells texts apart at a glance: texts with equal tags are equal if they have up to 16 bytes,
// and most likely if they have more.
struct TextTag {
  uint64_t words[2] = {0, 0};  // determined by the bytes of up to 16; else the first is a hash
  uint32_t size_tag = 0;       // bytes + 1, at most kLong; kNull: null; 0: no text

  static constexpr uint32_t kNull = UINT32_MAX, kLong = UINT32_MAX - 1, kExact = 16 + 1;
  static constexpr uint64_t kFirst = 0x2D358DCCAA6C78A5u, kSecond = 0x8BB84B93962EACC9u;

  // Whether texts of this tag are compared by it alone.
  bool is_exact() const noexcept { return size_tag <= kExact || size_tag == kNull; }
  // For tables: not hash_of() the text.
  uint64_t hash() const noexcept {
    return mixed(words[0] ^ kFirst, words[1] ^ size_tag ^ kSecond);
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
  constexpr uint64_t kFirst = 0x2D358DCCAA6C78A5u, kSecond = 0x8BB84B93962EACC9u;
  const char* at = bytes.data();
  uint64_t left = bytes.size();
  uint64_t hash = left * kSecond ^ kFirst;
  for (; left > 8; left -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = mixed(hash ^ word, kSecond);
  }
  return mixed(hash ^ word_of_bytes(at, left), kFirst);
}

inline TextTag tag_of(std::string_view text) noexcept {
  const uint64_t bytes = text.size();
  const auto size_tag = static_cast<uint32_t>(std::min<uint64_t>(bytes + 1, TextTag::kLong));
  if (bytes <= 8) return {{word_of_bytes(text.data(), bytes), 0}, size_tag};
  if (bytes > 16) return {{hash_of(text), 0}, size_tag};
  TextTag tag{.size_tag = size_tag};  // two words that overlap
  std::memcpy(&tag.words[0], text.data(), 8);
  std::memcpy(&tag.words[1], text.data() + bytes - 8, 8);
  return tag;
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
    const Slot &one = slots_[at], &other = slots_[(at + 1) & (slots_.size() - 1)];
    const bool is_one = one.has(key);
    if (is_one | other.has(key)) return (is_one ? one : other).next_number - 1;
    for (;; at = (at + 1) & (slots_.size() - 1)) {
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

  // As in NumberIndex.
  uint32_t find_or_add(std::string_view key) {
    return find_or_add(tag_of(key), [key] { return key; });
  }
  // Finds many keys, faster than one after the other, by tag(i), which is called once for each, and
  // key(i), whose result is not used for null.
  template <class TagAt, class KeyAt>
  void find_or_add_all(uint64_t count, TagAt tag, KeyAt key, uint32_t* numbers) {
    constexpr uint64_t kAtOnce = 32;
    TextTag tags[2][kAtOnce];
    // The slots of a large index are in no cache: those of the next keys are fetched meanwhile.
    const auto begin = [&](uint64_t first, TextTag* some) {
      for (uint64_t i = 0; i < std::min(kAtOnce, count - first); ++i) {
        some[i] = tag(first + i);
        if (slots_.size() > kFewSlots) __builtin_prefetch(&slots_[slot_of(some[i])]);
      }
    };
    if (count != 0) begin(0, tags[0]);
    for (uint64_t first = 0, turn = 0; first < count; first += kAtOnce, turn ^= 1) {
      const uint64_t some = std::min(kAtOnce, count - first);
      if (first + kAtOnce < count) begin(first + kAtOnce, tags[turn ^ 1]);
      if (slots_.size() > kFewSlots) prefetch_keys({tags[turn], some}, numbers + first);
      for (uint64_t i = 0; i < some; ++i) {
        numbers[first + i] = find_or_add(tags[turn][i], [&] { return key(first + i); });
      }
    }
  }
  std::string_view key_of(uint32_t number) const noexcept {
    return {characters_.data() + starts_[number], starts_[number + 1] - starts_[number]};
  }

  uint32_t size() const noexcept { return static_cast<uint32_t>(starts_.size() - 1); }
  // A measure of the keys' size that depends on them alone, and the bytes held.
  uint64_t needed_bytes() const noexcept {
    constexpr uint64_t kBytesAKey = 40;
    return characters_.size() + size() * kBytesAKey;
  }
  uint64_t bytes() const noexcept {
    return slots_.size() * sizeof(Slot) + starts_.capacity() * sizeof(uint64_t) +
           characters_.capacity();
  }

 private:
  struct Slot {
    uint64_t words[2] = {0, 0};
    uint32_t size_tag = 0;  // 0: free
    uint32_t number = 0;

    bool has(const TextTag& tag) const noexcept {
      return ((words[0] ^ tag.words[0]) | (words[1] ^ tag.words[1]) |
              (size_tag ^ tag.size_tag)) == 0;
    }
    bool is_free() const noexcept { return size_tag == 0; }
  };

  uint64_t slot_of(const TextTag& tag) const noexcept { return tag.hash() >> shift_; }
  uint64_t after(uint64_t slot) const noexcept { return (slot + 1) & (slots_.size() - 1); }
  template <class KeyAt>
  uint32_t find_or_add(const TextTag& tag, KeyAt key) {
    uint64_t at = slot_of(tag);
    if (tag.is_exact()) {
      // Two slots without a branch between them, which nobody could predict.
      const Slot &one = slots_[at], &other = slots_[after(at)];
      const bool is_one = one.has(tag);
      if (is_one | other.has(tag)) return is_one ? one.number : other.number;
    }
    for (;; at = after(at)) {
      Slot& slot = slots_[at];
      if (slot.has(tag) && (tag.is_exact() || same_text(key_of(slot.number), key()))) {
        return slot.number;
      }
      if (slot.is_free()) return add(key(), tag, slot);
    }
  }
  // Fetches the keys that texts longer than a tag are compared with. Overwrites `numbers`.
  void prefetch_keys(std::span<const TextTag> tags, uint32_t* numbers) const {
    bool are_exact = true;
    for (const TextTag& tag : tags) are_exact &= tag.is_exact();
    if (are_exact) return;
    for (uint64_t i = 0; i < tags.size(); ++i) {
      numbers[i] = likely_number(tags[i]);
      __builtin_prefetch(&starts_[numbers[i]]);
    }
    for (uint64_t i = 0; i < tags.size(); ++i) {
      __builtin_prefetch(characters_.data() + starts_[numbers[i]]);
    }
  }
  // A number, if there is any: that of the key with that tag, if there is one.
  uint32_t likely_number(const TextTag& tag) const noexcept {
    for (uint64_t at = slot_of(tag);; at = after(at)) {
      const Slot& slot = slots_[at];
      if (slot.has(tag) || slot.is_free()) return slot.number;
    }
  }
  uint32_t add(std::string_view key, const TextTag& tag, Slot& slot) {
    const uint32_t number = size();
    characters_.insert(characters_.end(), key.begin(), key.end());
    starts_.push_back(characters_.size());
    slot = {{tag.words[0], tag.words[1]}, tag.size_tag, number};
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
      uint64_t at = slot_of({{slot.words[0], slot.words[1]}, slot.size_tag});
      while (!slots_[at].is_free()) at = after(at);
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
