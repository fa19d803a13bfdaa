#include "parsing/text_options.h"

#include <algorithm>
#include <array>

#include "base/fail.h"
#include "heron/error.h"
#include "parsing/arguments.h"

namespace heron::cli {
namespace {

constexpr std::array kTextTypes = {Type::Bool,   Type::Int8,    Type::Int16,   Type::Int32,
                               Type::Int64,  Type::UInt8,   Type::UInt16,  Type::UInt32,
                               Type::UInt64, Type::Float32, Type::Float64, Type::Text,
                               Type::Date32, Type::Timestamp};

Type type_named(std::string_view name) {
  std::string known;
  for (const Type type : kTextTypes) {
    if (type.name() == name) return type;
    known += concat(known.empty() ? "" : ", ", type.name());
  }
  fail(ErrorKind::Argument, {}, "--types: no type \"", name, "\"; there are: ", known);
}

// Parses "price=float64,`a,b=text`".
std::vector<std::pair<std::string, Type>> parse_types(std::string_view list) {
  std::vector<std::pair<std::string, Type>> types;
  if (list.empty()) return types;
  for (const std::string& piece : parse_names(list)) {
    const size_t equals = piece.rfind('=');
    if (equals == std::string::npos) {
      fail(ErrorKind::Argument, {}, "--types: expected COLUMN=TYPE, got \"", piece, '"');
    }
    types.emplace_back(piece.substr(0, equals),
                       type_named(std::string_view(piece).substr(equals + 1)));
  }
  return types;
}

CsvEncoding encoding_named(std::string_view name) {
  if (name == "latin1") return CsvEncoding::Latin1;
  if (name == "windows-1252") return CsvEncoding::Windows1252;
  if (name == "utf-16") return CsvEncoding::Utf16;
  if (name == "bytes") return CsvEncoding::Bytes;
  return CsvEncoding::Utf8;
}

// Returns the character of an option whose value is one character; 0: not given.
char mark_of(std::string_view option, const std::string& given) {
  if (given == "tab" || given == "\\t") return '\t';
  if (given.size() > 1) {
    fail(ErrorKind::Argument, {}, option, ": expected one character or tab, got \"", given, '"');
  }
  return given.empty() ? '\0' : given.front();
}

}  // namespace

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const Type type : kTextTypes) names.push_back(type.name());
  return names;
}

CsvOptions text_options(const TextOptions& requested) {
  CsvOptions options;
  options.header = !requested.no_header;
  options.types = parse_types(requested.types);
  options.encoding = encoding_named(requested.encoding);
  options.null_words.clear();
  if (!requested.null_words.empty()) options.null_words = parse_names(requested.null_words);
  options.separator = mark_of("--separator", requested.separator);
  options.comment = mark_of("--comment", requested.comment);
  if (!requested.decimal.empty()) options.decimal = requested.decimal.front();
  if (requested.ragged == "null") options.ragged = CsvRagged::Null;
  options.skip_rows = requested.skip_rows.value_or(0);
  options.trim = requested.trim;
  return options;
}

bool is_given(const TextOptions& requested) {
  return requested.no_header || requested.trim || requested.skip_rows ||
         requested.null_words != TextOptions().null_words ||
         !(requested.types + requested.encoding + requested.separator + requested.decimal +
           requested.comment + requested.ragged)
              .empty();
}

}  // namespace heron::cli
