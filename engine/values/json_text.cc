// Text as JSON quotes it.
#include <array>

#include "base/utf8.h"
#include "heron/text.h"

namespace heron::inline v0 {
namespace {

// For each byte: 0 if JSON needs no escape, 'u' for \u00XX, else the character after the backslash.
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> escapes{};
  for (int i = 0; i < 0x20; ++i) escapes[static_cast<size_t>(i)] = 'u';
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  return escapes;
}();

void append_escape(TextSink& sink, unsigned char byte) {
  const char escape = kEscapes[byte];
  sink.append('\\');
  sink.append(escape);
  if (escape == 'u') {
    constexpr std::string_view kDigits = "0123456789abcdef";
    sink.append("00");
    sink.append(kDigits[byte / 16]);
    sink.append(kDigits[byte % 16]);
  }
}

}  // namespace

void append_utf8(TextSink& sink, std::string_view text) {
  each_utf8_part(text, [&](std::string_view part) { sink.append(part); });
}

void append_json_text(TextSink& sink, std::string_view text, bool utf8) {
  sink.append('"');
  size_t start = 0;  // start of bytes without escapes
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (kEscapes[byte] == 0 && (utf8 || byte < 0x80)) {
      ++at;
      continue;
    }
    const CodePoint next = decode_utf8(text, at);
    if (!next.valid || byte < 0x80) {
      sink.append(text.substr(start, at - start));
      if (byte < 0x80) {
        append_escape(sink, byte);
      } else {
        sink.append(kReplacement);
      }
      start = at + next.bytes;
    }
    at += next.bytes;
  }
  sink.append(text.substr(start));
  sink.append('"');
}

}  // namespace heron::inline v0
