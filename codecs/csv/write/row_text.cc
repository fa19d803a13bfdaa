#include "csv/write/row_text.h"

#include "csv/infer.h"

namespace heron::inline v0::csv {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

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

void append_quoted(TextSink& sink, std::string_view text, bool utf8) {
  sink.append('"');
  for (size_t quote; (quote = text.find('"')) != std::string_view::npos;) {
    append_bytes(sink, text.substr(0, quote + 1), utf8);
    sink.append('"');
    text.remove_prefix(quote + 1);
  }
  append_bytes(sink, text, utf8);
  sink.append('"');
}

void append(TextSink& sink, std::string_view text, bool utf8, bool quoted) {
  quoted ? append_quoted(sink, text, utf8) : append_bytes(sink, text, utf8);
}

// Quotes a name also if readers that detect the separator might split it.
void append_name(TextSink& sink, std::string_view name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool quoted = must_be_quoted(name) || has_blanks_around(name) ||
                      name.starts_with(kByteOrderMark) || name.find_first_of(";\t|") != name.npos;
  append(sink, name, false, quoted);
}

}  // namespace

void append_field(TextSink& sink, std::string_view text, bool utf8) {
  append(sink, text, utf8, must_be_quoted(text));
}

void append_text(TextSink& sink, std::string_view text, bool utf8) {
  const bool quoted = must_be_quoted(text) || has_blanks_around(text) || looks_typed(text);
  append(sink, text, utf8, quoted);
}

RowText::RowText(const Schema& schema, ValueForm form) : form_(form) {
  for (const Field& field : schema) {
    if (&field != &schema.front()) header_.append(',');
    append_name(header_, field.name);
  }
  header_.append(kLineEnd);
}

void RowText::append(TextSink& sink, const RowBatch& batch) {
  finish(sink);
  columns_.clear();
  for (const Values& values : batch.columns) columns_.emplace_back(values, form_);
  for (uint64_t row = 0; row < batch.rows; ++row) {
    for (uint64_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) sink.append(',');
      if (!columns_[i].is_null(row)) append_field(sink, columns_[i], batch.columns[i].type.is_binary(), row);
    }
    sink.append(kLineEnd);
  }
}

void RowText::finish(TextSink& sink) {
  sink.append(header_.text());
  header_.clear();
}

void RowText::append_field(TextSink& sink, const ColumnText& column, bool is_binary,
                           uint64_t row) {
  if (column.is_text()) {
    append_text(sink, column.text(row), column.utf8());
  } else if (column.is_json()) {
    text_.clear();
    column.append_json(text_, row);
    append_quoted(sink, text_.text(), true);
  } else if (is_binary) {
    text_.clear();
    column.append_plain(text_, row);
    append_text(sink, text_.text(), true);
  } else {
    column.append_plain(sink, row);
  }
}

}  // namespace heron::inline v0::csv
