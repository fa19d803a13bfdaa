#include "parsing/arguments.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>
#include <new>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::cli {
namespace {

struct Piece {
  std::string text;
  bool quoted = false;
};

// Takes the next piece of a comma-separated list. A piece that begins with `quote` ends at the next
// single one. `list` becomes the rest after the comma, or nullopt at the end.
Piece next_piece(std::optional<std::string_view>& list, char quote, std::string_view what) {
  const std::string_view text = *list;
  Piece piece;
  uint64_t at = 0;
  if (!text.empty() && text.front() == quote) {
    piece.quoted = true;
    for (at = 1;; ++at) {
      const size_t end = text.find(quote, at);
      if (end == std::string_view::npos) {
        fail(ErrorKind::Argument, {}, what, ": a ", quote, " is not closed in ", text);
      }
      piece.text += text.substr(at, end - at);
      at = end + 1;
      if (at == text.size() || text[at] != quote) break;
      piece.text += quote;
    }
    if (at < text.size() && text[at] != ',') {
      fail(ErrorKind::Argument, {}, what, ": expected a comma after the closing ", quote, " in ",
           text);
    }
  } else {
    at = std::min(text.find(','), text.size());
    piece.text = text.substr(0, at);
  }
  list = at < text.size() ? std::optional(text.substr(at + 1)) : std::nullopt;
  return piece;
}

// Returns the end of the expression at the start of the text: a comma outside of brackets and
// quotes, or the text's end. Without a closing bracket or quote the text is a name, which ends at
// the first comma.
size_t expression_bytes(std::string_view text) {
  uint64_t open = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ',' && open == 0) return at;
    if (c == '(') ++open;
    if (c == ')' && open != 0) --open;
    if (c != '\'' && c != '`') continue;
    at = text.find(c, at + 1);
    if (at == std::string_view::npos) return std::min(text.find(','), text.size());
  }
  return open == 0 ? text.size() : std::min(text.find(','), text.size());
}

std::vector<std::string_view> split_expressions(std::string_view list) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const size_t end = expression_bytes(list);
    std::string_view piece = list.substr(0, end);
    // Spaces around an expression do not count; a name keeps them unless a comma and a space divide
    // names.
    if (!pieces.empty()) piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
    pieces.push_back(piece);
    if (end == list.size()) return pieces;
    list.remove_prefix(end + 1);
  }
}

bool is_counted_time(const Type& type) {
  return type.is(Type::Date32) || type.is(Type::Timestamp) || type.is(Type::DateTime) ||
         type.is(Type::Duration) || type.is(Type::Time);
}

std::vector<uint64_t> read_lines(std::istream& in, const std::string& name) {
  std::vector<uint64_t> rows;
  for (std::string line; std::getline(in, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) rows.push_back(parse_row(concat("a row number in ", name), line));
  }
  if (in.bad() && errno == ENOMEM) throw std::bad_alloc();  // the stream does not throw it
  if (in.bad()) fail(ErrorKind::Io, name, std::strerror(errno));
  return rows;
}

}  // namespace

uint64_t parse_number(std::string_view what, std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) {
    fail(ErrorKind::Argument, {}, what, ": ", text, " is too large");
  }
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(ErrorKind::Argument, {}, what, ": expected a whole number, got \"", text, '"');
  }
  return number;
}

uint64_t parse_row(std::string_view what, std::string_view text) {
  const size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  if (!text.starts_with('-') || end == 1) return parse_number(what, text);
  fail(ErrorKind::Argument, {}, what, ": rows are counted from 0 at the first, got \"", text,
       "\"; rows at the end: heron tail FILE -n ", text.substr(1, end - 1));
}

uint64_t parse_size(std::string_view what, std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view unit = text.substr(end);
  const size_t power = unit.empty() ? 0 : kUnits.find(unit.front()) + 1;
  const bool known = unit.empty() || (power > 0 && (unit.size() == 1 || unit.substr(1) == "iB"));
  if (end == 0 || !known) {
    fail(ErrorKind::Argument, {}, what, ": expected bytes, such as 4096, 512M or 4GiB, got \"",
         text, '"');
  }
  const uint64_t number = parse_number(what, text.substr(0, end));
  if (number > UINT64_MAX >> 10 * power) {
    fail(ErrorKind::Argument, {}, what, ": ", text, " is too large");
  }
  return number << 10 * power;
}

double parse_share(std::string_view what, std::string_view text) {
  double share = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  const bool parsed = error == std::errc() && end == text.data() + text.size();
  if (!parsed || !(share >= 0 && share <= 1)) {
    fail(ErrorKind::Argument, {}, what, ": expected a number from 0 to 1, got \"", text, '"');
  }
  return share;
}

std::vector<std::string> parse_names(std::string_view list) {
  std::vector<std::string> names;
  for (std::optional rest(list); rest.has_value();) {
    names.push_back(next_piece(rest, '`', "a list of columns").text);
  }
  return names;
}

std::vector<std::string> parse_columns(std::string_view list) {
  std::vector<std::string> columns;
  for (const std::string_view piece : split_expressions(list)) {
    std::optional rest(piece);
    const bool is_name = piece.starts_with('`') && piece.find('`', 1) == piece.size() - 1;
    columns.push_back(is_name ? next_piece(rest, '`', "a list of columns").text
                              : std::string(piece));
  }
  return columns;
}

std::string parse_name(std::string_view text) {
  if (text.empty() || text.front() != '`') return std::string(text);
  std::optional rest(text);
  std::string name = next_piece(rest, '`', "a column's name").text;
  if (rest.has_value()) fail(ErrorKind::Argument, {}, "expected one column, got ", text);
  return name;
}

std::vector<OrderBy> parse_order(std::string_view list) {
  std::vector<OrderBy> order;
  for (std::string_view term : split_expressions(list)) {
    const bool descending = term.ends_with(":desc");
    if (descending || term.ends_with(":asc")) term = term.substr(0, term.rfind(':'));
    if (term.empty()) fail(ErrorKind::Argument, {}, "--order-by: expected a column, got nothing");
    order.push_back({parse_columns(term).front(), descending ? Descending : Ascending});
  }
  return order;
}

std::vector<uint64_t> parse_row_list(std::string_view list) {
  std::vector<uint64_t> rows;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    rows.push_back(parse_row("--at", list.substr(at, end - at)));
    at = end + 1;
  }
  return rows;
}

std::vector<uint64_t> read_row_list(const std::string& path) {
  if (path == "-") return read_lines(std::cin, "stdin");
  std::ifstream in(path);
  if (!in) fail(ErrorKind::Io, path, std::strerror(errno));
  return read_lines(in, path);
}

RowRange parse_range(std::string_view text, uint64_t rows) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    fail(ErrorKind::Argument, {}, "expected rows as A:B, got \"", text, '"');
  }
  const std::string_view first = text.substr(0, colon), last = text.substr(colon + 1);
  RowRange range{0, rows};
  if (!first.empty()) range.first = parse_row("rows", first);
  if (!last.empty()) range.last = parse_row("rows", last);
  if (!last.empty() && range.first > range.last) {
    fail(ErrorKind::Argument, {}, "rows ", text, ": the first is above the last");
  }
  return {std::min(range.first, rows), std::min(range.last, rows)};
}

std::vector<Scalar> parse_key(const Schema& columns, std::string_view text, bool raw) {
  std::vector<Piece> pieces;
  for (std::optional rest(text); rest.has_value();) {
    pieces.push_back(next_piece(rest, '"', "--key"));
  }
  if (pieces.size() != columns.size()) {
    std::string names;
    for (const Field& field : columns) names += concat(names.empty() ? "" : ", ", field.name);
    fail(ErrorKind::Argument, {}, "--key ", text, ": expected ", columns.size(), " value",
         columns.size() == 1 ? "" : "s", " (", names, "), got ", pieces.size());
  }
  std::vector<Scalar> key;
  for (uint64_t i = 0; i < pieces.size(); ++i) {
    const Type& type = columns[i].type;
    const bool as_is = pieces[i].quoted && type.is_text();
    const bool as_number = raw && is_counted_time(type);
    key.push_back(as_is ? Scalar(std::move(pieces[i].text))
                        : parse_scalar(as_number ? Type(Type::Int64) : type, pieces[i].text));
  }
  return key;
}

}  // namespace heron::cli
