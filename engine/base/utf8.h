// UTF-8 as defined in Unicode 3.9: shortest forms only, no surrogates, nothing past U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heron::inline v0 {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Returns whether a byte is one of a character's bytes after its first.
inline bool continues_utf8(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Decodes the character at `at`; if the bytes are not UTF-8, U+FFFD for the longest run of bytes
// that could have begun a character ("maximal subpart").
struct CodePoint {
  char32_t code;
  uint32_t bytes;
  bool valid;
  bool cut_off;  // not valid, but only because the text ends
};
CodePoint decode_utf8(std::string_view text, size_t at) noexcept;

inline constexpr uint64_t kHighBits = 0x8080808080808080;  // clear in eight bytes of ASCII

// Returns whether all bytes are ASCII; at the speed of memory.
bool is_ascii(std::string_view text) noexcept;

// How many leading bytes are valid characters. Some GB/s for ASCII.
size_t valid_utf8_prefix(std::string_view text) noexcept;

// Calls use(part) for the parts of the text as UTF-8: valid ones as they are, and U+FFFD for each
// maximal subpart that is not. Returns whether all of it is valid.
template <class Use>
bool each_utf8_part(std::string_view text, Use&& use) {
  bool valid = true;
  while (!text.empty()) {
    const size_t prefix = valid_utf8_prefix(text);
    if (prefix != 0) use(text.substr(0, prefix));
    if (prefix == text.size()) break;
    use(kReplacement);
    valid = false;
    text.remove_prefix(prefix + decode_utf8(text, prefix).bytes);
  }
  return valid;
}

// Writes a code point, not a surrogate, of up to four bytes; returns the end.
char* write_utf8(char32_t code, char* to) noexcept;

}  // namespace heron::inline v0
