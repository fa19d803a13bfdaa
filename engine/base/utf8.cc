#include "base/utf8.h"

#include <algorithm>
#include <cstring>

#include "base/cpu.h"

namespace heron::inline v0 {
namespace {

// Returns how many leading bytes are ASCII, counted in whole words of eight bytes.
size_t ascii_words(std::string_view text) noexcept {
  size_t at = 0;
  for (uint64_t word; text.size() - at >= sizeof word; at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  return at;
}

// Computes the bits that are set in any byte.
struct BitsOfBytes {
  HERON_INLINE static uint8_t run(const char* bytes, size_t count) {
    uint8_t bits = 0;
    for (size_t i = 0; i < count; ++i) bits |= static_cast<uint8_t>(bytes[i]);
    return bits;
  }
};

}  // namespace

bool is_ascii(std::string_view text) noexcept {
  constexpr size_t kBytesAtOnce = 4096, kShort = 64, kWord = sizeof(uint64_t);
  if (text.size() <= kShort) {
    const size_t words = ascii_words(text);
    if (text.size() - words >= kWord) return false;
    const size_t last = text.size() < kWord ? 0 : text.size() - kWord;
    uint64_t word = 0;
    if (text.size() >= kWord)
      std::memcpy(&word, text.data() + last, kWord);
    else
      for (const char byte : text) word |= static_cast<unsigned char>(byte);
    return (word & kHighBits) == 0;
  }
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), kBytesAtOnce))) {
    const size_t some = std::min(text.size(), kBytesAtOnce);
    if (dispatch<BitsOfBytes>(text.data(), some) >= 0x80) return false;
  }
  return true;
}

CodePoint decode_utf8(std::string_view text, size_t at) noexcept {
  constexpr char32_t kUnknown = 0xFFFD;
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1, true, false};
  if (lead < 0xC2 || lead > 0xF4) return {kUnknown, 1, false, false};
  const uint32_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // Only the second byte has narrower bounds, which exclude overlong forms, surrogates and codes
  // past 10FFFF.
  unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  char32_t code = lead & (0x7Fu >> length);
  for (uint32_t i = 1; i < length; ++i, low = 0x80, high = 0xBF) {
    if (at + i == text.size()) return {kUnknown, i, false, true};
    const unsigned next = static_cast<unsigned char>(text[at + i]);
    if (next < low || next > high) return {kUnknown, i, false, false};
    code = code << 6 | (next & 0x3F);
  }
  return {code, length, true, false};
}

size_t valid_utf8_prefix(std::string_view text) noexcept {
  for (size_t at = 0;;) {
    at += ascii_words(text.substr(at));
    // After non-ASCII, decodes 8 bytes before it tries whole ASCII words again.
    for (const size_t stop = std::min(text.size(), at + 8); at < stop;) {
      const CodePoint next = decode_utf8(text, at);
      if (!next.valid) return at;
      at += next.bytes;
    }
    if (at >= text.size()) return at;
  }
}

char* write_utf8(char32_t code, char* to) noexcept {
  const auto tail = [&](unsigned shift) {
    *to++ = static_cast<char>(0x80 | (code >> shift & 0x3F));
  };
  if (code < 0x80) {
    *to++ = static_cast<char>(code);
  } else if (code < 0x800) {
    *to++ = static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    *to++ = static_cast<char>(0xE0 | code >> 12);
    tail(6), tail(0);
  } else {
    *to++ = static_cast<char>(0xF0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
  return to;
}

}  // namespace heron::inline v0
