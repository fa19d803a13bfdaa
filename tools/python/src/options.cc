// Converts options of opening and writing, by their names in Python.
#include "base/fail.h"
#include "data.h"
#include "heron/formats.h"

namespace heron::python {
namespace {

template <class T>
void set_option(const nb::dict& from, const char* name, T& to) {
  if (from.contains(name) && !from[name].is_none()) to = argument<T>(name, from[name]);
}

template <class Enum, size_t n>
void set_named(const nb::dict& from, const char* name, Enum& to,
               const std::pair<const char*, Enum> (&values)[n]) {
  if (!from.contains(name) || from[name].is_none()) return;
  const auto wanted = argument<std::string>(name, from[name]);
  std::string known;
  for (const auto& [word, value] : values) {
    if (wanted == word) {
      to = value;
      return;
    }
    known += concat(known.empty() ? "\"" : ", \"", word, '"');
  }
  throw nb::value_error(concat(name, ": expected one of ", known, ", got \"", wanted, '"').c_str());
}

void set_character(const nb::dict& from, const char* name, char& to) {
  if (!from.contains(name) || from[name].is_none()) return;
  const auto text = argument<std::string>(name, from[name]);
  if (text.size() != 1) throw nb::value_error(concat(name, ": expected one character").c_str());
  to = text[0];
}

Type csv_type(const std::string& name) {
  constexpr Type::Id kTypes[] = {
      Type::Bool,   Type::Int8,      Type::Int16,    Type::Int32,    Type::Int64,   Type::UInt8,
      Type::UInt16, Type::UInt32,    Type::UInt64,   Type::Float32,  Type::Float64, Type::Text,
      Type::Date32, Type::Timestamp, Type::DateTime, Type::Duration, Type::Null};
  for (const Type::Id id : kTypes) {
    if (Type(id).name() == name) return id;
  }
  throw nb::value_error(concat("csv_types: no type \"", name, "\" for text files").c_str());
}

OptionValue option_value(const FormatOption& option, nb::handle value) {
  switch (option.kind) {
    case FormatOption::Kind::Switch: return argument<bool>(option.name, value);
    case FormatOption::Kind::Number: return argument<int64_t>(option.name, value);
    case FormatOption::Kind::Word:
    case FormatOption::Kind::Column: break;
  }
  return argument<std::string>(option.name, value);
}

// Calls use(format, name, value) for the options of formats that are given.
template <class Use>
void for_format_options(const nb::dict& given, FormatOption::Use when, Use use) {
  for (const std::string_view format : format_names()) {
    for (const FormatOption& option : format_options(format)) {
      const nb::str name(option.name.data(), option.name.size());
      if (option.use != when || !given.contains(name) || given[name].is_none()) continue;
      use(format, option.name, option_value(option, given[name]));
    }
  }
}

}  // namespace

std::vector<std::string> format_option_names(bool writes) {
  std::vector<std::string> names;
  for (const std::string_view format : format_names()) {
    for (const FormatOption& option : format_options(format)) {
      if ((option.use == FormatOption::Use::Write) == writes) names.emplace_back(option.name);
    }
  }
  return names;
}

OpenOptions open_options(const nb::dict& given) {
  OpenOptions options;
  set_option(given, "format", options.format);
  set_option(given, "entry", options.entry);
  set_option(given, "mmap", options.map);
  set_option(given, "cache_bytes", options.cache_bytes);
  set_option(given, "max_decode", options.max_decode);
  set_option(given, "use_index", options.use_index);
  set_option(given, "csv_header", options.csv.header);
  set_option(given, "csv_null_words", options.csv.null_words);
  set_named(given, "access", options.access,
            {{"auto", Access::Auto},
             {"warm", Access::Warm},
             {"cold", Access::Cold},
             {"once", Access::Once}});
  set_named(given, "csv_encoding", options.csv.encoding,
            {{"utf-8", CsvEncoding::Utf8},
             {"latin1", CsvEncoding::Latin1},
             {"windows-1252", CsvEncoding::Windows1252},
             {"utf-16", CsvEncoding::Utf16},
             {"bytes", CsvEncoding::Bytes}});
  set_option(given, "csv_trim", options.csv.trim);
  set_option(given, "csv_skip_rows", options.csv.skip_rows);
  set_named(given, "csv_ragged", options.csv.ragged,
            {{"error", CsvRagged::Error}, {"null", CsvRagged::Null}});
  set_character(given, "csv_separator", options.csv.separator);
  set_character(given, "csv_decimal", options.csv.decimal);
  set_character(given, "csv_comment", options.csv.comment);
  if (given.contains("csv_types") && !given["csv_types"].is_none()) {
    for (const auto [name, type] : argument<nb::dict>("csv_types", given["csv_types"])) {
      options.csv.types.emplace_back(argument<std::string>("csv_types", name),
                                     csv_type(argument<std::string>("csv_types", type)));
    }
  }
  for_format_options(given, FormatOption::Use::Open,
                     [&](std::string_view, std::string_view name, OptionValue value) {
                       options.set(name, std::move(value));
                     });
  return options;
}

WriteOptions write_options(const nb::dict& given) {
  WriteOptions options;
  set_option(given, "format", options.format);
  set_option(given, "replace", options.replace);
  set_option(given, "key_columns", options.key_columns);
  for_format_options(given, FormatOption::Use::Write,
                     [&](std::string_view, std::string_view name, OptionValue value) {
                       options.set(name, std::move(value));
                     });
  return options;
}

ConvertOptions convert_options(const nb::dict& given) {
  ConvertOptions options;
  options.write = write_options(given);
  options.write.format_options = {};
  options.wrap.replace = options.write.replace;
  for_format_options(given, FormatOption::Use::Write,
                     [&](std::string_view format, std::string_view name, OptionValue value) {
                       is_container(format) ? options.wrap.set(name, std::move(value))
                                            : options.write.set(name, std::move(value));
                     });
  set_option(given, "cast", options.cast);
  set_option(given, "drop_unsupported", options.drop_unsupported);
  set_option(given, "key", options.key);
  set_option(given, "rows_per_file", options.rows_per_file);
  return options;
}

}  // namespace heron::python
