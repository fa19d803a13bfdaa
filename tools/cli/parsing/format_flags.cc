#include "parsing/format_flags.h"

#include <algorithm>
#include <deque>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/formats.h"
#include "parsing/arguments.h"

namespace heron::cli {
namespace {

using Use = FormatOption::Use;

struct Flag {
  std::string_view format;
  const FormatOption* option;
  std::string names;      // "--block-rows"
  std::string elsewhere;  // Option::elsewhere
};

// Puts dashes before each word.
std::string with_dashes(std::string_view list) {
  std::string all;
  for (const std::string_view word : words(list)) {
    all += concat(all.empty() ? "" : " ", word.size() == 1 ? "-" : "--", word);
  }
  return all;
}

// All options that have a flag.
const std::deque<Flag>& flags() {
  static const std::deque<Flag> all = [] {
    std::deque<Flag> made;
    for (const std::string_view format : format_names()) {
      for (const FormatOption& option : format_options(format)) {
        if (option.flag == "-") continue;
        std::string name(option.flag.empty() ? option.name : option.flag);
        std::ranges::replace(name, '_', '-');
        made.push_back({format, &option, "--" + name, with_dashes(option.elsewhere)});
      }
    }
    return made;
  }();
  return all;
}

const Flag& flag_of(const Option& option) {
  return *std::ranges::find(flags(), option.names, &Flag::names);
}

const Flag& flag_of_option(std::string_view name) {
  return *std::ranges::find(flags(), name, [](const Flag& flag) { return flag.option->name; });
}

OptionValue value_of(const FormatOption& option, const Option& flag, const GivenValues& given) {
  if (option.kind == FormatOption::Kind::Switch) return !option.is_on;
  if (option.kind == FormatOption::Kind::Number) {
    std::optional<uint64_t> number;
    read_values(flag, given, number);
    if (!std::cmp_greater(*number, option.max)) return *number;
    fail(ErrorKind::Argument, {}, flag.names, ": expected ", option.min, " to ", option.max,
         ", got ", *number);
  }
  std::string text;
  read_values(flag, given, text);
  const std::string fault = option.fault == nullptr ? "" : option.fault(text);
  if (!fault.empty()) fail(ErrorKind::Argument, {}, flag.names, ": ", fault);
  return option.kind == FormatOption::Kind::Column ? parse_name(text) : text;
}

void read_flag(const Option& flag, const GivenValues& given, Options& options) {
  const FormatOption& option = *flag_of(flag).option;
  auto& values = options.get<FormatValues>();
  FormatOptions& to = option.use == Use::Open ? values.open : values.write;
  to.set(option.name, value_of(option, flag, given));
}

Kind kind_of(const FormatOption& option) {
  if (option.kind == FormatOption::Kind::Column) return Kind::Column;
  return option.kind == FormatOption::Kind::Types ? Kind::Types : Kind::Word;
}

Section section_of(const Flag& flag) {
  if (flag.option->use == Use::Write) return Section::Own;
  return flag.format == format_of_section() ? Section::Text : Section::Opening;
}

std::vector<Option> made_flags(Use use) {
  std::vector<Option> made;
  for (const Flag& flag : flags()) {
    const FormatOption& option = *flag.option;
    if (option.use != use) continue;
    made.push_back({.names = flag.names,
                    .value = option.value,
                    .what = option.what,
                    .read = read_flag,
                    .choices = option.choices,
                    .kind = kind_of(option),
                    .may_be_empty = option.kind == FormatOption::Kind::Names,
                    .min = static_cast<uint64_t>(std::max<int64_t>(option.min, 0)),
                    .section = section_of(flag),
                    .elsewhere = flag.elsewhere});
  }
  return made;
}

}  // namespace

std::string_view format_of_section() {
  static const std::string_view format = [] {
    return std::ranges::max(format_names(), {}, [](std::string_view name) {
      return std::ranges::count_if(flags(), [&](const Flag& flag) {
        return flag.format == name && flag.option->use == Use::Open;
      });
    });
  }();
  return format;
}

const std::vector<Option>& format_flags(Use use) {
  static const std::vector<Option> opening = made_flags(Use::Open);
  static const std::vector<Option> writing = made_flags(Use::Write);
  return use == Use::Open ? opening : writing;
}

std::string_view first_write_flag(const Session& session) {
  const auto& given = session.get<FormatValues>().write;
  return given.empty() ? std::string_view() : flag_of_option(given.values()[0].first).names;
}

void set_format_options(const Session& session, const std::string& format, const std::string& out,
                        ConvertOptions& options) {
  for (const auto& [name, value] : session.get<FormatValues>().write.values()) {
    const Flag& flag = flag_of_option(name);
    const bool is_around = out.find(ending_of(flag.format)) != out.npos;
    if (is_around && flag.format != format) {
      options.wrap.set(name, value);
    } else if (flag.format == format || format.empty()) {
      options.write.set(name, value);
    } else {
      fail(ErrorKind::Argument, {}, flag.names, " does not apply to format ", format);
    }
  }
}

}  // namespace heron::cli
