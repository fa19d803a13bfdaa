#include "output/csv.h"

#include "output/utf8.h"

namespace heron::cli {
namespace {

bool must_be_quoted(std::string_view text) noexcept {
  for (char c : text) {
    if (c == ',' || c == '"' || c == '\n' || c == '\r') return true;
  }
  return text.empty();
}

void append_bytes(Sink& sink, std::string_view text, bool utf8) {
  if (utf8) {
    sink.append(text);
  } else {
    append_repaired(sink, text);
  }
}

}  // namespace

void append_csv_text(Sink& sink, std::string_view text, bool utf8) {
  if (must_be_quoted(text)) return append_csv_quoted(sink, text, utf8);
  append_bytes(sink, text, utf8);
}

void append_csv_quoted(Sink& sink, std::string_view text, bool utf8) {
  sink.append('"');
  for (size_t quote; (quote = text.find('"')) != std::string_view::npos;) {
    append_bytes(sink, text.substr(0, quote + 1), utf8);
    sink.append('"');
    text.remove_prefix(quote + 1);
  }
  append_bytes(sink, text, utf8);
  sink.append('"');
}

}  // namespace heron::cli
