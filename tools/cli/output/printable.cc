#include "output/printable.h"

#include <wchar.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "output/utf8.h"

namespace heron::cli {
namespace {

bool is_plain(char c) noexcept {
  return c >= 0x20 && c < 0x7F;
}

bool is_dangerous(char32_t code) noexcept {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||  // controls
         code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) ||  // line ends, direction
         (code >= 0x2066 && code <= 0x2069);
}

uint32_t cells(char32_t code) noexcept {
  const int width = ::wcwidth(static_cast<wchar_t>(code));
  return width < 0 ? 1 : static_cast<uint32_t>(width);  // a character newer than the C library
}

// How a character that is dangerous is shown: \n or \u001b, all of it ASCII.
std::string_view escaped(char32_t code, std::string& memory) {
  switch (code) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: {
      char digits[8];
      const char* end = std::to_chars(digits, digits + sizeof digits, uint32_t{code}, 16).ptr;
      const std::string_view hex(digits, static_cast<size_t>(end - digits));
      memory = "\\u";
      memory.append(4 - hex.size(), '0').append(hex);
      return memory;
    }
  }
}

}  // namespace

uint32_t append_printable(Sink& sink, std::string_view text, uint32_t most) {
  if (text.size() <= most && std::all_of(text.begin(), text.end(), is_plain)) {
    sink.append(text);
    return static_cast<uint32_t>(text.size());
  }
  // What is shown is held back until it is known that it needs no ellipsis: `kept` is what fits
  // before one.
  std::string shown, memory;
  uint32_t width = 0;
  size_t kept = 0;
  uint32_t kept_width = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint next = decode(text, at);
    std::string_view piece = next.valid ? text.substr(at, next.bytes) : kReplacement;
    uint32_t piece_width = cells(next.code);
    if (is_dangerous(next.code)) {
      piece = escaped(next.code, memory);
      piece_width = static_cast<uint32_t>(piece.size());
    }
    if (piece_width > most - width) {
      sink.append(std::string_view(shown).substr(0, kept));
      if (most > 0) sink.append("…");
      return most > 0 ? kept_width + 1 : 0;
    }
    shown += piece;
    width += piece_width;
    if (width < most) {
      kept = shown.size();
      kept_width = width;
    }
    at += next.bytes;
  }
  sink.append(shown);
  return width;
}

}  // namespace heron::cli
