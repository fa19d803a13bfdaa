#include "output/printable.h"

#include <wchar.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/utf8.h"

namespace heron::cli {
namespace {

bool is_plain(char c) noexcept {
  return c >= 0x20 && c < 0x7F;
}

struct CodeRange {
  char32_t first, last;
};

// The hidden characters besides controls: characters that change the writing direction or break
// lines, and invisible ones. Joiners and variation selectors (200C, 200D, FE00 to FE0F) pass:
// scripts and emoji need them.
constexpr CodeRange kHidden[] = {
    {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},   {0x115F, 0x1160},
    {0x17B4, 0x17B5},   {0x180E, 0x180E},   {0x200B, 0x200B},   {0x200E, 0x200F}, {0x2028, 0x202E},
    {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

bool is_dangerous(char32_t code) noexcept {
  if (code < 0x7F) return code < 0x20;
  const auto* range = std::ranges::lower_bound(kHidden, code, {}, &CodeRange::last);
  return range != std::end(kHidden) && range->first <= code;
}

uint32_t cells(char32_t code) noexcept {
  const int width = ::wcwidth(static_cast<wchar_t>(code));
  return width < 0 ? 1 : static_cast<uint32_t>(width);  // the character is newer than the C library
}

void append_unit(std::string& out, uint32_t unit) {
  char digits[8];
  const char* end = std::to_chars(digits, digits + sizeof digits, unit, 16).ptr;
  const std::string_view hex(digits, static_cast<size_t>(end - digits));
  out += "\\u";
  out.append(4 - hex.size(), '0').append(hex);
}

// Returns the escape of a dangerous character: \n or \u001b, in ASCII. As in JSON, a character past
// FFFF is two surrogates.
std::string_view escaped(char32_t code, std::string& memory) {
  switch (code) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  memory.clear();
  if (code > 0xFFFF) {
    append_unit(memory, 0xD800 + ((code - 0x10000) >> 10));
    code = 0xDC00 + ((code - 0x10000) & 0x3FF);
  }
  append_unit(memory, code);
  return memory;
}

// Returns whether the text ends at `at` within a character or line end.
bool is_cut_off(std::string_view text, size_t at) noexcept {
  return text[at] == '\r' ? at + 1 == text.size() : decode_utf8(text, at).cut_off;
}

}  // namespace

uint32_t append_printable(TextSink& sink, std::string_view text, uint32_t max_width) {
  if (text.size() <= max_width && std::all_of(text.begin(), text.end(), is_plain)) {
    sink.append(text);
    return static_cast<uint32_t>(text.size());
  }
  // Output is held back until it is known to need no ellipsis: `kept` is the length that fits
  // before one.
  std::string shown, memory;
  uint32_t width = 0;
  size_t kept = 0;
  uint32_t kept_width = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint next = decode_utf8(text, at);
    std::string_view piece = next.valid ? text.substr(at, next.bytes) : kReplacement;
    uint32_t piece_width = cells(next.code);
    if (is_dangerous(next.code)) {
      piece = escaped(next.code, memory);
      piece_width = static_cast<uint32_t>(piece.size());
    }
    if (piece_width > max_width - width) {
      sink.append(std::string_view(shown).substr(0, kept));
      if (max_width > 0) sink.append("…");
      return max_width > 0 ? kept_width + 1 : 0;
    }
    shown += piece;
    width += piece_width;
    if (width < max_width) {
      kept = shown.size();
      kept_width = width;
    }
    at += next.bytes;
  }
  sink.append(shown);
  return width;
}

size_t bytes_of_cells(std::string_view printable, uint32_t max_width) {
  // No character has more cells than bytes.
  if (printable.size() <= max_width) return printable.size();
  size_t at = 0;
  for (uint32_t width = 0; at < printable.size();) {
    const CodePoint next = decode_utf8(printable, at);
    const uint32_t more = cells(next.code);
    if (at > 0 && more > max_width - width) break;
    width += std::min(more, max_width - width);
    at += next.bytes;
  }
  return at;
}

size_t append_lines_printable(std::string& out, std::string_view text) {
  std::string memory;
  size_t at = 0;
  while (at < text.size() && !is_cut_off(text, at)) {
    const CodePoint next = decode_utf8(text, at);
    const bool stays = next.code == '\n' || next.code == '\t' ||
                       (next.code == '\r' && text[at + 1] == '\n') || !is_dangerous(next.code);
    if (stays) {
      out += next.valid ? text.substr(at, next.bytes) : kReplacement;
    } else {
      out += escaped(next.code, memory);
    }
    at += next.bytes;
  }
  return at;
}

}  // namespace heron::cli
