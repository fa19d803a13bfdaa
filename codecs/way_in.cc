#include "way_in.h"

#include "dataset/foreign_format.h"
#include "heron/error.h"

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
  return concat("heron convert ", csv, ' ', stem_of(csv), ".jay");
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

}  // namespace

WayIn way_in(std::string_view head, std::string_view path) {
  if (head.empty()) return {"an empty file, no known format"};
  if (const ForeignFormat* format = foreign_format(head)) return {from_foreign(*format, path)};
  if (!looks_like_text(head) && !has_utf16_mark(head)) {
    return {"the first bytes are those of no known format"};
  }
  const size_t start = head.find_first_not_of(" \t\r\n");
  const bool is_json = start != head.npos && (head[start] == '{' || head[start] == '[');
  if (is_json) return {concat("text, perhaps JSON: ", by_way_of_csv(path))};
  return {"text of no known format", Hint::FormatCsv};
}

}  // namespace heron::inline v0
