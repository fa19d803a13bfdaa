#include "view/screen.h"

#include "output/printable.h"

namespace heron::cli {
namespace {

std::string_view escape_of(Style style, bool colour) {
  switch (style) {
    case Style::Plain: break;
    case Style::Heading: return "\x1b[1m";
    case Style::CurrentHeading: return "\x1b[1;7m";
    case Style::Current: return "\x1b[7m";
    case Style::CurrentRow: return "\x1b[1m";
    case Style::Null: return "\x1b[2m";
    case Style::Damage: return colour ? "\x1b[1;31m" : "\x1b[1m";
    case Style::Status: return "\x1b[7m";
  }
  return {};
}

}  // namespace

std::string text_of(const ScreenLine& line) {
  std::string text;
  for (const Span& span : line) text += span.text;
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string escapes_of(const ScreenLine& line, bool colour) {
  std::string text;
  for (const Span& span : line) {
    const std::string_view escape = escape_of(span.style, colour);
    text += escape;
    text += span.text;
    if (!escape.empty()) text += "\x1b[0m";
  }
  return text;
}

std::string safe_text(std::string_view text, uint32_t cells) {
  StringSink sink;
  append_printable(sink, text, cells);
  return std::string(sink.text());
}

uint32_t width_of(std::string_view text) {
  StringSink sink;
  return append_printable(sink, text);
}

std::string padded_right(std::string_view text, uint32_t cells) {
  StringSink sink;
  const uint32_t width = append_printable(sink, text, cells);
  return std::string(sink.text()).append(cells - width, ' ');
}

std::string padded_left(std::string_view text, uint32_t cells) {
  StringSink sink;
  const uint32_t width = append_printable(sink, text, cells);
  return std::string(cells - width, ' ').append(sink.text());
}

}  // namespace heron::cli
