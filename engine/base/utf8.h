// UTF-8 as defined in Unicode 3.9: shortest forms only, no surrogates, nothing past U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heron::inline v0 {

// Decodes the character at `at`; if the bytes are not UTF-8, U+FFFD for the longest run of bytes
// that could have begun a character ("maximal subpart").
struct CodePoint {
  char32_t code;
  uint32_t bytes;
  bool valid;
};
CodePoint decode_utf8(std::string_view text, size_t at) noexcept;

// How many leading bytes are valid characters. Some GB/s for ASCII.
size_t valid_utf8_prefix(std::string_view text) noexcept;

// Writes a code point, not a surrogate, of up to four bytes; returns the end.
char* write_utf8(char32_t code, char* to) noexcept;

}  // namespace heron::inline v0
