// Upper and lower case of characters: Unicode's simple mapping, one character for one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace heron::inline v0 {

char32_t lower_case(char32_t code) noexcept;
char32_t upper_case(char32_t code) noexcept;

// Writes the text in lower or upper case, at most three bytes for each; returns the end. Bytes that
// are not UTF-8 stay as they are. Up to kMappedSlack bytes behind the end are overwritten, too.
inline constexpr size_t kMappedSlack = 8;
char* write_lower(std::string_view text, char* to) noexcept;
char* write_upper(std::string_view text, char* to) noexcept;

// Returns eight bytes that are 0x20 where `eight`, all ASCII, has a letter from `first` to `last`,
// else 0.
inline uint64_t case_bits(uint64_t eight, unsigned first, unsigned last) noexcept {
  constexpr uint64_t kEach = 0x0101010101010101u;
  const uint64_t from_first = eight + kEach * (0x80 - first);
  const uint64_t beyond_last = eight + kEach * (0x7F - last);
  return (from_first & ~beyond_last & kHighBits) >> 2;
}
// Return eight ASCII bytes in lower or upper case.
inline uint64_t lower_eight(uint64_t eight) noexcept {
  return eight | case_bits(eight, 'A', 'Z');
}
inline uint64_t upper_eight(uint64_t eight) noexcept {
  return eight ^ case_bits(eight, 'a', 'z');
}

// Returns whether the text is ASCII, and none of its characters is the lower case, or else the
// upper case, of one that is not: 'k' is the lower case of U+212A, too.
bool maps_only_ascii_to(std::string_view text, bool lower) noexcept;

// Writes as many bytes as the text has, in lower or upper case where they are ASCII; returns
// whether all are. Runs as fast as memory does.
bool write_lower_ascii(std::string_view text, char* to) noexcept;
bool write_upper_ascii(std::string_view text, char* to) noexcept;

// Sets `folded` to the text in the form that `ilike` compares: lower case. `text` may not be a view
// of `folded`.
void fold_case(std::string_view text, std::string& folded);

}  // namespace heron::inline v0
