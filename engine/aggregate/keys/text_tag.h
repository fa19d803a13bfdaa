// Tags of texts: a few words that tell most texts apart without reading their bytes again.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "aggregate/keys/group_index.h"
#include "values/text_cells.h"

namespace heron::inline v0 {

// Distinguishes texts at a glance: texts with equal tags are equal if they have up to 24 bytes, and
// most likely if they have more.
struct TextTag {
  uint64_t words[3] = {0, 0, 0};  // made of all bytes of a text, up to 24; else the first is a hash
  uint32_t size_tag = 0;          // 0: the first word says all; else bytes + 1, at most kLong

  static constexpr uint32_t kLong = UINT32_MAX, kExact = 24 + 1;
  static constexpr uint64_t kFirst = 0x2D358DCCAA6C78A5u, kSecond = 0x8BB84B93962EACC9u;
  // The last byte of a word is that of its text only above this; else it is null's, or bytes + 1.
  static constexpr uint64_t kNullByte = 9;

  static TextTag of_null() noexcept { return {{kNullByte << 56, 0, 0}}; }
  // Returns whether texts of this tag are compared by it alone.
  bool is_exact() const noexcept { return size_tag <= kExact; }
  bool is_short() const noexcept { return size_tag == 0; }
  bool is_null() const noexcept { return is_short() && words[0] == kNullByte << 56; }
  uint64_t hash() const noexcept {
    return mixed(words[0] ^ kFirst, words[1] ^ std::rotl(words[2], 32) ^ size_tag ^ kSecond);
  }
};

// Returns the first word of the tag of a text of up to 7 bytes, and of most of 8; 0 for others.
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
  TextTag tag{.size_tag = size_tag};  // the words overlap in the text
  std::memcpy(&tag.words[0], text.data(), 8);
  std::memcpy(&tag.words[1], text.data() + bytes - 8, 8);
  if (bytes > 16) std::memcpy(&tag.words[2], text.data() + 8, 8);
  return tag;
}

// Returns whether texts are equal; for short ones without a call.
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

}  // namespace heron::inline v0
