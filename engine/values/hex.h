// Bytes as hexadecimal digits, two a byte, the high one first.
#pragma once

#include <string>
#include <string_view>

namespace heron::inline v0 {

inline constexpr std::string_view kHexDigits = "0123456789abcdef";

// Puts two digits a byte. Returns the end.
inline char* put_hex(char* out, std::string_view bytes) noexcept {
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    *out++ = kHexDigits[value >> 4];
    *out++ = kHexDigits[value & 15];
  }
  return out;
}

inline std::string hex_text(std::string_view bytes) {
  std::string text(2 * bytes.size(), '\0');
  put_hex(text.data(), bytes);
  return text;
}

// Puts a byte for each two digits, of either case. Returns the end; null for any other text.
inline char* read_hex(std::string_view text, char* out) noexcept {
  if (text.size() % 2 != 0) return nullptr;
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return nullptr;
    *out++ = static_cast<char>(high << 4 | low);
  }
  return out;
}

// Sets the bytes that the digits stand for; returns false for any other text.
inline bool parse_hex(std::string_view text, std::string& bytes) {
  bytes.resize(text.size() / 2);
  return read_hex(text, bytes.data()) != nullptr;
}

}  // namespace heron::inline v0
