// Maps texts to numbers: 0, 1, 2, .. in the order in which they are added.
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

#include "aggregate/keys/group_index.h"
#include "aggregate/keys/text_tag.h"
#include "aggregate/keys/word_codes.h"
#include "base/zeroed_array.h"

namespace heron::inline v0 {

// ShortSlot is for texts of short tags and for null, LongSlot for the others.
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
  ZeroedArray<Slot> slots = ZeroedArray<Slot>(64);
  uint64_t mask = 63;  // mask of an index in slots
  int shift = 64 - 6;
  uint64_t used = 0;

  uint64_t pair_of(const TextTag& tag) const noexcept {
    return Slot::hash(tag) >> shift & ~uint64_t{1};
  }
  uint64_t after(uint64_t pair) const noexcept { return (pair + 2) & mask; }
  bool is_large() const noexcept { return slots.size() > 16'384; }  // beyond the first caches
  void prefetch(const TextTag& tag) const noexcept { __builtin_prefetch(&slots[pair_of(tag)]); }
  // Finds a tag in the first pair of its hash, without a branch between the slots, which nobody
  // could predict; else sets any number. This is a copy, which loops keep in registers.
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
    const auto old = std::exchange(slots, ZeroedArray<Slot>(std::bit_ceil(count * slots_a_key)));
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
  // Copies the bytes of all keys, for key_of(), or only of keys longer than 24 bytes, for
  // comparing.
  explicit BytesIndex(bool keeps_keys) : keeps_keys_(keeps_keys) {}

  // Returns the key's number; a new key gets the next number, size() before the call.
  uint32_t find_or_add(std::string_view key) {
    return find_or_add(tag_of(key), key);
  }
  // Finds many keys, text(i), faster than one after the other; where is_null(i), the key is null,
  // whatever the text is.
  template <class TextAt, class IsNullAt>
  void find_or_add_all(uint64_t count, TextAt text, IsNullAt is_null, uint32_t* numbers) {
    Some some[2];
    const auto read = [&](uint64_t first, Some& to) {
      to.first = first;
      to.count = std::min(kAtOnce, count - first);
      read_some(to, text, is_null);
    };
    if (count > 0) read(0, some[0]);
    for (uint64_t first = 0, turn = 0; first < count; first += kAtOnce, turn ^= 1) {
      if (first + kAtOnce < count) read(first + kAtOnce, some[turn ^ 1]);
      find_or_add_some(some[turn], text, numbers);
    }
  }
  // The key of a number, if the key is copied.
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
  // Makes room for the keys of another index: in the order of hashes they would crowd a smaller
  // one.
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
           codes_.bytes() + starts_.capacity() * sizeof(uint64_t) + characters_.capacity();
  }

 private:
  // Keys that are found together, in steps that do not wait for the steps of other keys; the slots
  // of a large table are prefetched while the keys before these are found.
  static constexpr uint64_t kAtOnce = 32;
  struct Some {
    uint64_t first = 0, count = 0;
    uint64_t words[kAtOnce];  // short_word(); any for nulls
    uint64_t are_null = 0;    // a bit for each null key
    uint64_t are_long = 0;    // a bit for each key without a short word
    uint8_t longs[kAtOnce];   // indices of the keys without a short word
    uint64_t long_count = 0;
    TextTag tags[kAtOnce];  // tags of the keys without a short word
  };

  template <class TextAt, class IsNullAt>
  void read_some(Some& some, TextAt text, IsNullAt is_null) const {
    const uint64_t first = some.first;
    bool any_long = false;
    uint64_t are_null = 0;
    // Nulls are looked up as the key before them: nobody could predict a branch.
    for (uint64_t i = 0, at = first; i < some.count; ++i) {
      const uint64_t null = is_null(first + i);
      at ^= (at ^ (first + i)) & (null - 1);
      some.words[i] = short_word(text(at));
      are_null |= null << i;
      any_long |= some.words[i] == 0;
    }
    some.are_null = are_null;
    uint64_t are_long = 0;
    for (uint64_t i = 0; any_long && i < some.count; ++i) {
      are_long |= uint64_t{some.words[i] == 0} << i;
    }
    some.are_long = are_long;
    uint64_t long_count = 0;
    for (uint64_t left = are_long; left != 0; left &= left - 1) {
      some.longs[long_count++] = static_cast<uint8_t>(std::countr_zero(left));
    }
    some.long_count = long_count;
    for (uint64_t j = 0; j < long_count; ++j) {
      TextTag& tag = some.tags[some.longs[j]];
      tag = tag_of(text(first + some.longs[j]));
      if (long_.is_large()) long_.prefetch(tag);
    }
    if (!short_.is_large()) return;
    for (uint64_t i = 0; i < some.count; ++i) short_.prefetch({{some.words[i], 0, 0}});
  }
  // Adds the keys that are not in the first pair of their hash last, in the order of the keys.
  template <class TextAt>
  void find_or_add_some(const Some& some, TextAt text, uint32_t* numbers) {
    numbers += some.first;
    uint64_t unknown = 0;  // a bit for each key
    if (some.long_count < some.count) unknown = find_short(some, numbers) & ~some.are_long;
    if (some.long_count > 0) {
      unknown |= mostly_new_ ? some.are_long : find_long(some, text, numbers);
    }
    unknown = null_number_ == kNoNumber ? unknown | some.are_null : unknown & ~some.are_null;
    for (uint64_t left = some.are_null; left != 0; left &= left - 1) {
      numbers[std::countr_zero(left)] = null_number_;
    }
    const uint32_t known = size();
    for (; unknown != 0; unknown &= unknown - 1) {
      const auto i = static_cast<uint64_t>(std::countr_zero(unknown));
      const std::string_view key = text(some.first + i);
      if ((some.are_null >> i & 1) != 0)
        numbers[i] = null_number_ = find_or_add(short_, TextTag::of_null(), {});
      else
        numbers[i] = some.words[i] != 0 ? find_or_add(short_, {{some.words[i], 0, 0}}, key)
                                        : find_or_add(long_, some.tags[i], key);
    }
    mostly_new_ = (size() - known) * uint64_t{2} > some.long_count;
  }
  // Sets the numbers of keys with short tags, and any for the others. Returns a bit for each key:
  // set if it is not found, any for the others.
  uint64_t find_short(const Some& some, uint32_t* numbers) {
    const auto pairs = short_.first_pair();
    const auto is_unknown = [&](uint64_t i) {
      return uint64_t{!pairs.find({{some.words[i], 0, 0}}, numbers[i])} << i;
    };
    uint64_t unknown = 0;
    if (codes_.are_useful()) {
      uint64_t left = codes_.find({some.words, some.count}, numbers);
      for (; left != 0; left &= left - 1) {
        unknown |= is_unknown(static_cast<uint64_t>(std::countr_zero(left)));
      }
      return unknown;
    }
    for (uint64_t i = 0; i < some.count; ++i) unknown |= is_unknown(i);
    return unknown;
  }
  // Sets the numbers of keys without short tags, and returns those not found. Keys longer than a
  // tag are compared with the copies of their bytes, which are fetched first.
  template <class TextAt>
  uint64_t find_long(const Some& some, TextAt text, uint32_t* numbers) const {
    const auto pairs = long_.first_pair();
    uint64_t unknown = 0;
    uint8_t compared[kAtOnce];
    uint64_t compared_count = 0;
    for (uint64_t j = 0; j < some.long_count; ++j) {
      const uint8_t i = some.longs[j];
      const bool is_known = pairs.find(some.tags[i], numbers[i]);
      unknown |= uint64_t{!is_known} << i;
      compared[compared_count] = i;
      compared_count += is_known && !some.tags[i].is_exact();
    }
    for (uint64_t j = 0; j < compared_count; ++j) {
      __builtin_prefetch(&starts_[numbers[compared[j]]]);
    }
    for (uint64_t j = 0; j < compared_count; ++j) {
      __builtin_prefetch(characters_.data() + starts_[numbers[compared[j]]]);
    }
    for (uint64_t j = 0; j < compared_count; ++j) {
      const uint8_t i = compared[j];
      unknown |= uint64_t{!same_text(key_of(numbers[i]), text(some.first + i))} << i;
    }
    return unknown;
  }
  uint32_t find_or_add(const TextTag& tag, std::string_view key) {
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
  template <class Slot>
  [[gnu::noinline]] uint32_t add(TextSlots<Slot>& table, const TextTag& tag, std::string_view key) {
    const uint32_t number = size();
    const bool is_null = tag.is_null();
    if (!is_null && (keeps_keys_ || !tag.is_exact())) {
      characters_.append(key.data(), key.size());
    }
    starts_.push_back(characters_.size());
    if (!is_null) key_bytes_ += key.size();
    if (tag.is_short() && !is_null) codes_.add(tag.words[0], number);
    table.reserve(++table.used);
    table.add(tag, number);
    return number;
  }

  static constexpr uint32_t kNoNumber = UINT32_MAX;

  bool keeps_keys_;
  uint32_t null_number_ = kNoNumber;  // the number of null, once it was a key
  TextSlots<ShortSlot> short_;
  TextSlots<LongSlot> long_;
  WordCodes codes_;  // codes of short tags
  bool mostly_new_ = false;  // most of the last long keys were new: skip find_long() next
  ZeroedArray<uint64_t> starts_ = ZeroedArray<uint64_t>(1);  // starts, and the end of the last key
  ZeroedArray<char> characters_;
  uint64_t key_bytes_ = 0;  // bytes of all keys, copied or not
};

}  // namespace heron::inline v0
