#include "text_options.h"

#include <algorithm>
#include <array>

#include "arguments.h"
#include "heron/error.h"

namespace heron::cli {
namespace {

Type type_named(std::string_view name) {
  constexpr std::array kIds = {Type::Bool,   Type::Int8,     Type::Int16,   Type::Int32,
                               Type::Int64,  Type::UInt8,    Type::UInt16,  Type::UInt32,
                               Type::UInt64, Type::Float32,  Type::Float64, Type::Text,
                               Type::Date32, Type::Timestamp};
  std::string known;
  for (const Type type : kIds) {
    if (type.name() == name) return type;
    known += concat(known.empty() ? "" : ", ", type.name());
  }
  fail(ErrorKind::Argument, {}, "--types: no type \"", name, "\"; there are: ", known);
}

// "price=float64,`a,b=text`".
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

}  // namespace

CsvOptions text_options(const TextOptions& asked) {
  CsvOptions options;
  options.header = !asked.no_header;
  options.types = parse_types(asked.types);
  options.encoding = encoding_named(asked.encoding);
  options.null_words.clear();
  if (!asked.null_words.empty()) options.null_words = parse_names(asked.null_words);
  if (asked.separator == "tab" || asked.separator == "\\t") {
    options.separator = '\t';
  } else if (asked.separator.size() == 1) {
    options.separator = asked.separator.front();
  } else if (!asked.separator.empty()) {
    fail(ErrorKind::Argument, {}, "--separator: expected one character or tab, got \"",
         asked.separator, '"');
  }
  return options;
}

bool is_given(const TextOptions& asked) {
  return asked.no_header || !asked.types.empty() || !asked.encoding.empty() ||
         !asked.separator.empty() || asked.null_words != TextOptions().null_words;
}

}  // namespace heron::cli
