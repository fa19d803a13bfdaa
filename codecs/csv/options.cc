#include "csv/options.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/fail.h"
#include "values/times.h"

namespace heron::inline v0::csv {
namespace {

constexpr std::array kEncodings = {
    std::pair{CsvEncoding::Utf8, "utf-8"}, std::pair{CsvEncoding::Latin1, "latin1"},
    std::pair{CsvEncoding::Windows1252, "windows-1252"}, std::pair{CsvEncoding::Utf16, "utf-16"},
    std::pair{CsvEncoding::Bytes, "bytes"}};

// Parses "a,`b,c`": names are in backticks if they hold a comma; a backtick inside is doubled.
std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  bool quoted = false;
  for (size_t i = 0; i < list.size(); ++i) {
    if (names.empty()) names.emplace_back();
    if (list[i] == '`' && quoted && list.substr(i + 1).starts_with('`')) {
      names.back() += list[++i];
    } else if (list[i] == '`') {
      quoted = !quoted;
    } else if (list[i] == ',' && !quoted) {
      names.emplace_back();
    } else {
      names.back() += list[i];
    }
  }
  return names;
}

void append_name(std::string& list, std::string_view name) {
  if (!list.empty()) list += ',';
  list += '`';
  for (const char c : name) list.append(c == '`' ? 2 : 1, c);
  list += '`';
}

constexpr std::array kTypesOfText = {
    Type::Bool,   Type::Int8,      Type::Int16,    Type::Int32,    Type::Int64,   Type::UInt8,
    Type::UInt16, Type::UInt32,    Type::UInt64,   Type::Float32,  Type::Float64, Type::Text,
    Type::Date32, Type::Timestamp, Type::DateTime, Type::Duration, Type::Time, Type::Null};

std::optional<Type> type_named(std::string_view name) {
  for (const Type type : kTypesOfText) {
    if (type.name() == name) return type;
  }
  return time_type_named(name);
}

struct ColumnType {
  std::string column, type;
};
// Returns nullopt unless it is COLUMN=TYPE.
std::optional<ColumnType> parse_type(const std::string& piece) {
  const size_t equals = piece.rfind('=');
  if (equals == std::string::npos) return std::nullopt;
  return ColumnType{piece.substr(0, equals), piece.substr(equals + 1)};
}

std::vector<std::pair<std::string, Type>> types_of(std::string_view list) {
  std::vector<std::pair<std::string, Type>> types;
  for (const std::string& piece : split_names(list)) {
    const auto [column, type] = parse_type(piece).value();
    types.emplace_back(column, type_named(type).value());
  }
  return types;
}

bool is_tab(std::string_view text) {
  return text == "tab" || text == "\\t";
}

// Returns the character of an option whose value is one character; 0: not set.
char mark_of(const FormatOptions& named, std::string_view option) {
  const std::string_view text = text_option(named, option);
  return is_tab(text) ? '\t' : text.empty() ? '\0' : text.front();
}

}  // namespace

std::string mark_fault(std::string_view text) {
  if (text.size() <= 1 || is_tab(text)) return {};
  return concat("expected one character or tab, got \"", text, '"');
}

std::string types_fault(std::string_view list) {
  for (const std::string& piece : split_names(list)) {
    const auto parsed = parse_type(piece);
    if (!parsed) return concat("expected COLUMN=TYPE, got \"", piece, '"');
    if (type_named(parsed->type)) continue;
    std::string known;
    for (const std::string& name : type_names()) known += concat(known.empty() ? "" : ", ", name);
    return concat("no type \"", parsed->type, "\"; there are: ", known);
  }
  return {};
}

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const Type type : kTypesOfText) names.push_back(type.name());
  return names;
}

CsvOptions csv_options(const FormatOptions& named) {
  CsvOptions options;
  options.separator = mark_of(named, option::kSeparator);
  options.comment = mark_of(named, option::kComment);
  options.decimal = text_option(named, option::kDecimal, ".").front();
  options.trim = switch_option(named, option::kTrim);
  if (text_option(named, option::kRagged) == "null") options.ragged = CsvRagged::Null;
  options.skip_rows = static_cast<uint64_t>(number_option(named, option::kSkipRows).value_or(0));
  if (const auto* header = named.get<bool>(option::kHeader)) options.header = *header;
  if (const auto* words = named.get<std::string>(option::kNullWords)) {
    options.null_words = split_names(*words);
  }
  const std::string_view encoding = text_option(named, option::kEncoding, "utf-8");
  options.encoding =
      std::ranges::find(kEncodings, encoding, [](const auto& pair) { return pair.second; })->first;
  options.types = types_of(text_option(named, option::kTypes));
  return options;
}

}  // namespace heron::inline v0::csv

namespace heron::inline v0 {

FormatOptions CsvOptions::format_options() const {
  static const CsvOptions kDefaults;
  FormatOptions named;
  const auto mark = [](char c) { return c == 0 ? std::string() : std::string(1, c); };
  if (separator != 0) named.set(csv::option::kSeparator, mark(separator));
  if (comment != 0) named.set(csv::option::kComment, mark(comment));
  if (decimal != kDefaults.decimal) named.set(csv::option::kDecimal, mark(decimal));
  if (trim) named.set(csv::option::kTrim, true);
  if (ragged == CsvRagged::Null) named.set(csv::option::kRagged, "null");
  if (skip_rows != 0) named.set(csv::option::kSkipRows, skip_rows);
  if (!header) named.set(csv::option::kHeader, false);
  if (null_words != kDefaults.null_words) {
    std::string list;
    for (const std::string& word : null_words) csv::append_name(list, word);
    named.set(csv::option::kNullWords, list);
  }
  if (encoding != kDefaults.encoding) {
    const auto found =
        std::ranges::find(csv::kEncodings, encoding, [](const auto& pair) { return pair.first; });
    named.set(csv::option::kEncoding, found->second);
  }
  std::string list;
  for (const auto& [name, type] : types) {
    csv::append_name(list, concat(name, '=', type.name()));
  }
  if (!list.empty()) named.set(csv::option::kTypes, list);
  return named;
}

}  // namespace heron::inline v0
