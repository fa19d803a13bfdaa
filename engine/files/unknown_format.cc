#include "files/unknown_format.h"

#include "base/fail.h"
#include "base/hints.h"
#include "files/detect.h"
#include "files/foreign_format.h"
#include "files/formats.h"

namespace heron::inline v0 {
namespace {

// The path without its last ending, if it has one.
std::string_view stem_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  const size_t start = slash == std::string_view::npos ? 0 : slash + 1;
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos || dot <= start ? path : path.substr(0, dot);
}

bool ends_as_csv(std::string_view path) {
  return path.ends_with(".csv") || path.ends_with(".tsv") || path.ends_with(".CSV");
}

std::string converting(std::string_view csv) {
  return concat("heron convert ", csv, ' ', stem_of(csv), spill_format().extension);
}

std::string by_way_of_csv(std::string_view path) {
  return concat("write it as CSV (pandas: to_csv), then ",
                converting(concat(stem_of(path), ".csv")));
}

std::string from_foreign(const ForeignFormat& format, std::string_view path) {
  if (format.unpack.empty()) {
    return concat(format.name, ", which Heron does not read: ", by_way_of_csv(path));
  }
  const std::string_view inside = stem_of(path);
  return concat(format.name, "; unpack it first: ", format.unpack, ' ', path,
                ends_as_csv(inside) ? concat(", then ", converting(inside)) : std::string());
}

struct Explanation {
  std::string text;
  const char* hint = "";
};

// `head` holds the first bytes of the file at `path`.
Explanation explain(std::string_view head, std::string_view path) {
  if (head.empty()) return {"an empty file, no known format"};
  if (const ForeignFormat* format = foreign_format(head)) return {from_foreign(*format, path)};
  if (!looks_like_text(head) && !has_utf16_mark(head)) {
    return {"the first bytes are those of no known format"};
  }
  const size_t start = head.find_first_not_of(" \t\r\n");
  const bool is_json = start != head.npos && (head[start] == '{' || head[start] == '[');
  if (is_json) return {concat("text, perhaps JSON: ", by_way_of_csv(path))};
  return {"text of no known format", hint::kFormatCsv};
}

}  // namespace

void throw_unknown_format(const ByteSource& bytes, const Context& context) {
  const Explanation explanation = explain(head_of(bytes, context), bytes.name());
  fail_with_hint(ErrorKind::UnknownFormat, explanation.hint, bytes.name(), explanation.text);
}

}  // namespace heron::inline v0
