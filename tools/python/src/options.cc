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
  const auto given = argument<std::string>(name, from[name]);
  std::string known;
  for (const auto& [word, value] : values) {
    if (given == word) {
      to = value;
      return;
    }
    known += concat(known.empty() ? "\"" : ", \"", word, '"');
  }
  throw nb::value_error(concat(name, ": expected one of ", known, ", got \"", given, '"').c_str());
}

// Returns names as one text, in backticks, with commas between.
std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += list.empty() ? "`" : ",`";
    for (const char c : name) list.append(c == '`' ? 2 : 1, c);
    list += '`';
  }
  return list;
}

std::string joined_types(std::string_view option, nb::handle given) {
  std::vector<std::string> types;
  for (const auto [name, type] : argument<nb::dict>(option, given)) {
    types.push_back(
        concat(argument<std::string>(option, name), '=', argument<std::string>(option, type)));
  }
  return joined(types);
}

OptionValue option_value(const FormatOption& option, nb::handle value) {
  switch (option.kind) {
    case FormatOption::Kind::Switch: return argument<bool>(option.name, value);
    case FormatOption::Kind::Number: return argument<int64_t>(option.name, value);
    case FormatOption::Kind::Names:
      return joined(argument<std::vector<std::string>>(option.name, value));
    case FormatOption::Kind::Types: return joined_types(option.name, value);
    case FormatOption::Kind::Word:
    case FormatOption::Kind::Column:
    case FormatOption::Kind::Text: break;
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

nb::list format_option_tuples() {
  const auto kind_of = [](const FormatOption& option) {
    switch (option.kind) {
      case FormatOption::Kind::Switch: return "switch";
      case FormatOption::Kind::Number: return "number";
      case FormatOption::Kind::Word: return "word";
      case FormatOption::Kind::Names: return "names";
      case FormatOption::Kind::Types: return "types";
      case FormatOption::Kind::Column:
      case FormatOption::Kind::Text: break;
    }
    return "text";
  };
  nb::list all;
  for (const std::string_view format : format_names()) {
    for (const FormatOption& option : format_options(format)) {
      all.append(nb::make_tuple(option.name, option.use == FormatOption::Use::Write,
                                kind_of(option), option.choices));
    }
  }
  return all;
}

OpenOptions open_options(const nb::dict& given) {
  OpenOptions options;
  set_option(given, "format", options.format);
  set_option(given, "entry", options.entry);
  set_option(given, "mmap", options.mmap);
  set_option(given, "cache_bytes", options.cache_bytes);
  set_option(given, "max_decode", options.max_decode);
  set_option(given, "use_index", options.use_index);
  set_named(given, "access", options.access,
            {{"auto", Access::Auto},
             {"warm", Access::Warm},
             {"cold", Access::Cold},
             {"once", Access::Once}});
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
