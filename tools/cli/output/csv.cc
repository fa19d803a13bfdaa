#include "output/csv.h"

#include "csv/infer.h"
#include "heron/text.h"

namespace heron::cli {
namespace {

bool must_be_quoted(std::string_view text) noexcept {
  for (char c : text) {
    if (c == ',' || c == '"' || c == '\n' || c == '\r') return true;
  }
  return text.empty();
}

bool has_blanks_around(std::string_view text) noexcept {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  return !text.empty() && (is_blank(text.front()) || is_blank(text.back()));
}

void append_bytes(TextSink& sink, std::string_view text, bool utf8) {
  if (utf8) {
    sink.append(text);
  } else {
    append_utf8(sink, text);
  }
}

void append_field(TextSink& sink, std::string_view text, bool utf8, bool quoted) {
  if (quoted) return append_csv_quoted(sink, text, utf8);
  append_bytes(sink, text, utf8);
}

}  // namespace

void append_csv_field(TextSink& sink, std::string_view text, bool utf8) {
  append_field(sink, text, utf8, must_be_quoted(text));
}

void append_csv_text(TextSink& sink, std::string_view text, bool utf8) {
  const bool quoted = must_be_quoted(text) || has_blanks_around(text) || csv::looks_typed(text);
  append_field(sink, text, utf8, quoted);
}

void append_csv_name(TextSink& sink, std::string_view name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool quoted = must_be_quoted(name) || has_blanks_around(name) ||
                      name.starts_with(kByteOrderMark) || name.find_first_of(";\t|") != name.npos;
  append_field(sink, name, false, quoted);
}

void append_csv_quoted(TextSink& sink, std::string_view text, bool utf8) {
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
