#include "output/utf8.h"

#include <algorithm>
#include <cstring>

namespace heron::cli {
namespace {

bool is_continuation(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// How many leading bytes are ASCII, counted in whole words: eight bytes a step.
size_t ascii_words(std::string_view text) noexcept {
  size_t at = 0;
  for (uint64_t word; text.size() - at >= sizeof word; at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080) != 0) break;
  }
  return at;
}

size_t valid_prefix(std::string_view text) noexcept {
  for (size_t at = 0;;) {
    at += ascii_words(text.substr(at));
    // A word's worth of characters before ASCII is tried again.
    for (const size_t stop = std::min(text.size(), at + 8); at < stop;) {
      const CodePoint next = decode(text, at);
      if (!next.valid) return at;
      at += next.bytes;
    }
    if (at >= text.size()) return at;
  }
}

// Of the rows first up to last.
bool is_utf8_within(const Values& values, uint64_t first, uint64_t last) noexcept {
  const Type& type = values.type;
  if (first == last) return true;
  if (type.is(Type::Vector)) return is_utf8_within(values.children[0], first, last);
  if (type.is(Type::Key)) {
    if (values.children.empty()) return true;
    const Values& standing = values.children[0];
    return standing.rows <= last - first && is_utf8_within(standing, 0, standing.rows);
  }
  if (!type.is_list() && !type.is_text()) return true;
  const uint64_t start = values.extent(first), end = values.extent(last);
  if (type.is_list()) return is_utf8_within(values.children[0], start, end);
  // The texts lie one behind the other: all are valid if the whole is and none begins within a
  // character.
  const std::string_view all{values.data.as<char>() + start, end - start};
  if (valid_prefix(all) != all.size()) return false;
  for (uint64_t row = first; row < last; ++row) {
    const std::string_view text = values.text(row);
    if (!text.empty() && is_continuation(text.front())) return false;
  }
  return true;
}

}  // namespace

bool is_utf8(const Values& values) noexcept {
  return is_utf8_within(values, 0, values.rows);
}

CodePoint decode(std::string_view text, size_t at) noexcept {
  constexpr char32_t kUnknown = 0xFFFD;
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {kUnknown, 1, false};
  const uint32_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // Only the second byte has narrower bounds: no overlong forms, surrogates or codes past 10FFFF.
  unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  char32_t code = lead & (0x7Fu >> length);
  for (uint32_t i = 1; i < length; ++i, low = 0x80, high = 0xBF) {
    const unsigned next = at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
    if (next < low || next > high) return {kUnknown, i, false};
    code = code << 6 | (next & 0x3F);
  }
  return {code, length, true};
}

void append_repaired(Sink& sink, std::string_view text) {
  while (!text.empty()) {
    const size_t valid = valid_prefix(text);
    sink.append(text.substr(0, valid));
    if (valid == text.size()) return;
    sink.append(kReplacement);
    text.remove_prefix(valid + decode(text, valid).bytes);
  }
}

}  // namespace heron::cli
