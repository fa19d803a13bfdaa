// Maps texts to numbers: 0, 1, 2, .. in the order in which they came.
//
// A slot of the table holds a text's tag: all its bytes if these are at most 24, else its hash;
// only longer texts are compared with a copy of their bytes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "aggregate/group_index.h"
#include "values/text_cells.h"

namespace heron::inline v0 {

// What tells texts apart at a glance: texts with equal tags are equal if they have up to 24 bytes,
// and most likely if they have more.
struct TextTag {
  uint64_t words[3] = {0, 0, 0};  // determined by the bytes of up to 24; else the first is a hash
  uint32_t size_tag = 0;          // 0: the first word says all; else bytes + 1, at most kLong

  static constexpr uint32_t kLong = UINT32_MAX, kExact = 24 + 1;
  static constexpr uint64_t kFirst = 0x2D358DCCAA6C78A5u, kSecond = 0x8BB84B93962EACC9u;
  // The last byte of a word is that of its text only above this; else null's, or bytes + 1.
  static constexpr uint64_t kNullByte = 9;

  static TextTag of_null() noexcept { return {{kNullByte << 56, 0, 0}}; }
  // Whether texts of this tag are compared by it alone.
  bool is_exact() const noexcept { return size_tag <= kExact; }
  bool is_short() const noexcept { return size_tag == 0; }
  bool is_null() const noexcept { return is_short() && words[0] == kNullByte << 56; }
  uint64_t hash() const noexcept {
    return mixed(words[0] ^ kFirst, words[1] ^ std::rotl(words[2], 32) ^ size_tag ^ kSecond);
  }
};

// The first word of the tag of a text of up to 7 bytes, and of most of 8; 0 of any other.
[[gnu::always_inline]] inline uint64_t short_word(std::string_view text) noexcept {
  const uint64_t word = first_eight(text), bytes = text.size();
  if (bytes < 8) return word | (bytes + 1) << 56;
  const bool is_short = (bytes == 8) & (word >> 56 > TextTag::kNullByte);
  return is_short ? word : 0;
}

inline uint64_t hash_of(std::string_view bytes) noexcept {
  constexpr uint64_t kFirst = TextTag::kFirst, kSecond = TextTag::kSecond;
  const char* at = bytes.data();
  uint64_t left = bytes.size();
  uint64_t hash = left * kSecond ^ kFirst;
  for (; left > 8; left -= 8, at += 8) {
    hash = mixed(hash ^ load_eight(at), kSecond);
  }
  return mixed(hash ^ first_eight({at, left}), kFirst);
}

// Inlined everywhere: copying a tag at once after writing it word by word stalls the processor.
[[gnu::always_inline]] inline TextTag tag_of(std::string_view text) noexcept {
  if (const uint64_t word = short_word(text); word != 0) return {{word, 0, 0}};
  const uint64_t bytes = text.size();
  const auto size_tag = static_cast<uint32_t>(std::min<uint64_t>(bytes + 1, TextTag::kLong));
  if (bytes > 24) return {{hash_of(text), 0, 0}, size_tag};
  TextTag tag{.size_tag = size_tag};  // words that overlap
  std::memcpy(&tag.words[0], text.data(), 8);
  std::memcpy(&tag.words[1], text.data() + bytes - 8, 8);
  if (bytes > 16) std::memcpy(&tag.words[2], text.data() + 8, 8);
  return tag;
}

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

// Writes the bytes of a text with an exact tag, not null. Returns their number.
inline uint64_t bytes_of_tag(const TextTag& tag, char (&to)[24]) noexcept {
  std::memcpy(to, &tag.words[0], 8);
  if (tag.is_short()) {
    const uint64_t last = tag.words[0] >> 56;
    return last < TextTag::kNullByte ? last - 1 : 8;
  }
  const uint64_t bytes = tag.size_tag - 1;
  if (bytes > 16) std::memcpy(to + 8, &tag.words[2], 8);
  std::memcpy(to + bytes - 8, &tag.words[1], 8);
  return bytes;
}

// A slot for texts of short tags and null, and one for the others.
struct ShortSlot {
  uint64_t word = 0;  // 0: free
  uint32_t number = 0;

  ShortSlot() = default;
  ShortSlot(const TextTag& tag, uint32_t of) : word(tag.words[0]), number(of) {}
  bool is_free() const noexcept { return word == 0; }
  TextTag tag() const noexcept { return {{word, 0, 0}}; }
  static uint64_t hash(const TextTag& tag) noexcept {
    return (tag.words[0] ^ tag.words[0] >> 32) * TextTag::kSecond;
  }
  bool has(const TextTag& tag) const noexcept { return word == tag.words[0]; }
};
struct LongSlot {
  uint64_t words[3] = {0, 0, 0};
  uint32_t size_tag = 0;  // 0: free
  uint32_t number = 0;

  LongSlot() = default;
  LongSlot(const TextTag& tag, uint32_t of)
      : words{tag.words[0], tag.words[1], tag.words[2]}, size_tag(tag.size_tag), number(of) {}
  bool is_free() const noexcept { return size_tag == 0; }
  TextTag tag() const noexcept { return {{words[0], words[1], words[2]}, size_tag}; }
  static uint64_t hash(const TextTag& tag) noexcept { return tag.hash(); }
  bool has(const TextTag& tag) const noexcept {
    return ((words[0] ^ tag.words[0]) | (words[1] ^ tag.words[1]) | (words[2] ^ tag.words[2]) |
            (size_tag ^ tag.size_tag)) == 0;
  }
};

// Pairs of slots in the order of hashes, each pair in one cache line; the second slot of a pair is
// in use only if the first is. A small table is at most a quarter full, a large one half: texts
// beyond the first pair of their hash take branches that nobody predicts.
template <class Slot>
struct TextSlots {
  std::vector<Slot, HugePageAllocator<Slot>> slots = decltype(slots)(64);
  uint64_t mask = 63;  // of an index in slots
  int shift = 64 - 6;
  uint64_t used = 0;

  uint64_t pair_of(const TextTag& tag) const noexcept {
    return Slot::hash(tag) >> shift & ~uint64_t{1};
  }
  uint64_t after(uint64_t pair) const noexcept { return (pair + 2) & mask; }
  bool is_large() const noexcept { return slots.size() > 16'384; }  // beyond the first caches
  void prefetch(const TextTag& tag) const noexcept { __builtin_prefetch(&slots[pair_of(tag)]); }
  // Finds a tag in the first pair of its hash, without a branch between the slots, which nobody
  // could predict; else sets any number. A copy, which loops keep in registers.
  struct FirstPair {
    const Slot* slots;
    int shift;
    bool find(const TextTag& tag, uint32_t& number) const noexcept {
      const Slot* pair = slots + (Slot::hash(tag) >> shift & ~uint64_t{1});
      const uint32_t is_one = opaque(pair[0].has(tag)), is_other = opaque(pair[1].has(tag));
      number = chosen(is_one, pair[0].number, pair[1].number);
      return (is_one | is_other) != 0;
    }
  };
  FirstPair first_pair() const noexcept { return {slots.data(), shift}; }
  void reserve(uint64_t count) {
    const uint64_t slots_a_key = slots.size() < 8192 ? 4 : 2;
    if (count * slots_a_key <= slots.size()) return;
    const auto old = std::exchange(slots, decltype(slots)(std::bit_ceil(count * slots_a_key)));
    mask = slots.size() - 1;
    shift = 64 - std::countr_zero(slots.size());
    for (const Slot& slot : old) {
      if (!slot.is_free()) add(slot.tag(), slot.number);
    }
  }
  // Adds a text that is not in the table, which has room for it.
  void add(const TextTag& tag, uint32_t number) {
    uint64_t at = pair_of(tag);
    while (!slots[at + 1].is_free()) at = after(at);
    slots[at + !slots[at].is_free()] = Slot(tag, number);
  }
};

// Numbers byte strings and null. One thread at a time.
class BytesIndex {
 public:
  // Copies the bytes of all keys, for key_of(), or only of those with more than 24 bytes, for
  // comparing.
  explicit BytesIndex(bool keeps_keys) : keeps_keys_(keeps_keys) {}

  // As in NumberIndex.
  uint32_t find_or_add(std::string_view key) {
    return find_or_add(tag_of(key), key);
  }
  // Finds many keys, text(i), faster than one after the other; where is_null(i), the key is null
  // and text(i) is not used.
  template <class TextAt, class IsNullAt>
  void find_or_add_all(uint64_t count, TextAt text, IsNullAt is_null, uint32_t* numbers) {
    const auto tag = [&](uint64_t i) __attribute__((always_inline)) {
      return is_null(i) ? TextTag::of_null() : tag_of(text(i));
    };
    uint64_t i = 0;
    while (i < count && !is_large()) {
      if (long_.used == 0) i += find_or_add_short(i, count, text, is_null, numbers);
      const auto of_short = short_.first_pair();
      const auto of_long = long_.first_pair();
      for (bool is_known = true; i < count && is_known; ++i) {
        const TextTag one = tag(i);
        is_known = one.is_short() ? of_short.find(one, numbers[i])
                                  : of_long.find(one, numbers[i]) &&
                                        (one.is_exact() || same_text(key_of(numbers[i]), text(i)));
        if (!is_known) numbers[i] = find_or_add(one, text(i));
      }
    }
    // The slots of a large index are in no cache: those of the next keys are fetched meanwhile.
    constexpr uint64_t kAtOnce = 32;
    TextTag tags[2][kAtOnce];
    const auto fetch = [&](uint64_t first, TextTag* some) {
      for (uint64_t k = 0; k < std::min(kAtOnce, count - first); ++k) {
        some[k] = tag(first + k);
        some[k].is_short() ? short_.prefetch(some[k]) : long_.prefetch(some[k]);
      }
    };
    if (i < count) fetch(i, tags[0]);
    for (uint64_t turn = 0; i < count; i += kAtOnce, turn ^= 1) {
      const uint64_t some = std::min(kAtOnce, count - i);
      if (i + kAtOnce < count) fetch(i + kAtOnce, tags[turn ^ 1]);
      prefetch_keys({tags[turn], some}, numbers + i);
      for (uint64_t k = 0; k < some; ++k) {
        numbers[i + k] = find_or_add(tags[turn][k], text(i + k));
      }
    }
  }
  // The key of a number, if it is copied.
  std::string_view key_of(uint32_t number) const noexcept {
    return {characters_.data() + starts_[number], starts_[number + 1] - starts_[number]};
  }
  // Calls use(key) for each key but null, in the order of hashes; the text lives during the call.
  template <class Use>
  void for_each(Use use) const {
    char bytes[24];
    const auto use_all = [&](const auto& table) {
      for (const auto& slot : table.slots) {
        const TextTag tag = slot.tag();
        if (slot.is_free() || tag.is_null()) continue;
        tag.is_exact() ? use(std::string_view(bytes, bytes_of_tag(tag, bytes)))
                       : use(key_of(slot.number));
      }
    };
    use_all(short_);
    use_all(long_);
  }
  // Room for the keys of another index: in the order of hashes they would crowd a smaller one.
  void reserve_for(const BytesIndex& other) {
    short_.reserve(short_.used + other.short_.used);
    long_.reserve(long_.used + other.long_.used);
  }

  uint32_t size() const noexcept { return static_cast<uint32_t>(starts_.size() - 1); }
  // A measure of the keys' size that depends on them alone, and the bytes held.
  uint64_t needed_bytes() const noexcept {
    constexpr uint64_t kBytesAKey = 40;
    return key_bytes_ + size() * kBytesAKey;
  }
  uint64_t bytes() const noexcept {
    return short_.slots.size() * sizeof(ShortSlot) + long_.slots.size() * sizeof(LongSlot) +
           starts_.capacity() * sizeof(uint64_t) + characters_.capacity();
  }

 private:
  bool is_large() const noexcept { return short_.is_large() || long_.is_large(); }
  // Finds keys with short tags, some at once in steps that wait for nothing: first their words,
  // then their slots, then the few that are not in their first pair. Returns how many keys from
  // `first` on it found: up to some with a longer one, or to a large table.
  template <class TextAt, class IsNullAt>
  uint64_t find_or_add_short(uint64_t first, uint64_t count, TextAt text, IsNullAt is_null,
                             uint32_t* numbers) {
    constexpr uint64_t kAtOnce = 256;
    uint64_t words[kAtOnce];
    uint32_t unknown[kAtOnce];
    uint64_t i = first;
    while (i < count && !short_.is_large()) {
      const uint64_t some = std::min(kAtOnce, count - i);
      bool are_short = true;
      for (uint64_t k = 0; k < some; ++k) {
        words[k] = is_null(i + k) ? TextTag::of_null().words[0] : short_word(text(i + k));
        are_short &= words[k] != 0;
      }
      if (!are_short) break;
      const auto pairs = short_.first_pair();
      uint64_t unknown_count = 0;
      for (uint32_t k = 0; k < some; ++k) {
        const bool is_known = pairs.find({{words[k], 0, 0}}, numbers[i + k]);
        unknown[unknown_count] = k;
        unknown_count += !is_known;
      }
      for (uint64_t u = 0; u < unknown_count; ++u) {
        const uint64_t k = unknown[u];
        numbers[i + k] = find_or_add(short_, {{words[k], 0, 0}}, text(i + k));
      }
      i += some;
    }
    return i - first;
  }
  [[gnu::noinline]] uint32_t find_or_add(TextTag tag, std::string_view key) {
    return tag.is_short() ? find_or_add(short_, tag, key) : find_or_add(long_, tag, key);
  }
  template <class Slot>
  uint32_t find_or_add(TextSlots<Slot>& table, const TextTag& tag, std::string_view key) {
    for (uint64_t at = table.pair_of(tag);; at = table.after(at)) {
      const Slot &one = table.slots[at], &other = table.slots[at + 1];
      const uint32_t is_one = opaque(one.has(tag)), is_other = opaque(other.has(tag));
      if (tag.is_exact()) {
        if ((is_one | is_other) != 0) return chosen(is_one, one.number, other.number);
      } else {
        if (is_one != 0 && same_text(key_of(one.number), key)) return one.number;
        if (is_other != 0 && same_text(key_of(other.number), key)) return other.number;
      }
      if (other.is_free()) return add(table, tag, key);
    }
  }
  // Fetches the keys that texts longer than a tag are compared with. Overwrites `numbers`.
  void prefetch_keys(std::span<const TextTag> tags, uint32_t* numbers) const {
    bool are_exact = true;
    for (const TextTag& tag : tags) are_exact &= tag.is_exact();
    if (are_exact) return;
    for (uint64_t i = 0; i < tags.size(); ++i) {
      numbers[i] = tags[i].is_short() ? 0 : likely_number(tags[i]);
      __builtin_prefetch(&starts_[numbers[i]]);
    }
    for (uint64_t i = 0; i < tags.size(); ++i) {
      __builtin_prefetch(characters_.data() + starts_[numbers[i]]);
    }
  }
  // A number, if there is any: that of the long key with that tag, if there is one.
  uint32_t likely_number(const TextTag& tag) const noexcept {
    for (uint64_t at = long_.pair_of(tag);; at = long_.after(at)) {
      const LongSlot &one = long_.slots[at], &other = long_.slots[at + 1];
      if (one.has(tag)) return one.number;
      if (other.has(tag) || other.is_free()) return other.number;
    }
  }
  template <class Slot>
  [[gnu::noinline]] uint32_t add(TextSlots<Slot>& table, const TextTag& tag, std::string_view key) {
    const uint32_t number = size();
    const bool is_null = tag.is_null();
    if (!is_null && (keeps_keys_ || !tag.is_exact())) {
      characters_.insert(characters_.end(), key.begin(), key.end());
    }
    starts_.push_back(characters_.size());
    if (!is_null) key_bytes_ += key.size();
    table.reserve(++table.used);
    table.add(tag, number);
    return number;
  }

  bool keeps_keys_;
  TextSlots<ShortSlot> short_;
  TextSlots<LongSlot> long_;
  std::vector<uint64_t, HugePageAllocator<uint64_t>> starts_ = {0};  // and the end of the last
  std::vector<char, HugePageAllocator<char>> characters_;
  uint64_t key_bytes_ = 0;  // of all keys, copied or not
};

}  // namespace heron::inline v0
