// UTF-8 as Unicode 3.9 has it: shortest forms only, no surrogates, nothing past U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heron::inline v0 {

// What begins at `at`: a character, or, where the bytes are not UTF-8, U+FFFD for the longest run
// of bytes that could have begun one ("maximal subpart").
struct CodePoint {
  char32_t code;
  uint32_t bytes;
  bool valid;
};
CodePoint decode_utf8(std::string_view text, size_t at) noexcept;

// How many leading bytes are whole characters. Some GB/s where they are ASCII.
size_t valid_utf8_prefix(std::string_view text) noexcept;

// Writes a code point, which is no surrogate, to where four bytes are free; gives its end.
char* write_utf8(char32_t code, char* to) noexcept;

}  // namespace heron::inline v0
