#include "heron/formats.h"

#include <algorithm>

#include "base/fail.h"
#include "base/nearest.h"
#include "files/formats.h"
#include "format/format_options.h"

namespace heron::inline v0 {
namespace {

std::string shown(const OptionValue& value) {
  if (const auto* is_on = std::get_if<bool>(&value)) return *is_on ? "true" : "false";
  if (const auto* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  return concat('"', std::get<std::string>(value), '"');
}

// Returns the allowed values of an option, in words; empty if this is one.
std::string expected_instead(const FormatOption& option, const OptionValue& value) {
  switch (option.kind) {
    case FormatOption::Kind::Switch:
      return std::holds_alternative<bool>(value) ? "" : "true or false";
    case FormatOption::Kind::Column:
      if (const auto* name = std::get_if<std::string>(&value); name && !name->empty()) return {};
      return "the name of a column";
    case FormatOption::Kind::Number: {
      const auto* number = std::get_if<int64_t>(&value);
      if (number != nullptr && *number >= option.min && *number <= option.max) return {};
      const bool has_max = option.max != std::numeric_limits<int64_t>::max();
      return has_max ? concat(option.min, " to ", option.max)
                      : concat("an integer of at least ", option.min);
    }
    case FormatOption::Kind::Text:
    case FormatOption::Kind::Names:
    case FormatOption::Kind::Types:
      return std::holds_alternative<std::string>(value) ? "" : "a text";
    case FormatOption::Kind::Word: break;
  }
  std::string words;
  const auto* word = std::get_if<std::string>(&value);
  for (std::string_view left = option.choices; !left.empty();) {
    const std::string_view one = left.substr(0, left.find(' '));
    if (word != nullptr && *word == one) return {};
    words += concat(words.empty() ? "one of " : ", ", one);
    left.remove_prefix(std::min(left.size(), one.size() + 1));
  }
  return words;
}

struct OfFormat {
  const Format* format = nullptr;
  const FormatOption* option = nullptr;
};
OfFormat option_named(std::string_view name) {
  for (const Format& format : formats()) {
    for (const FormatOption& option : format.options) {
      if (option.name == name) return {&format, &option};
    }
  }
  return {};
}

[[noreturn]] void fail_unknown(const std::string& path, FormatOption::Use use,
                               std::string_view name) {
  Nearest nearest(name);
  std::string known;
  for (const Format& format : formats()) {
    for (const FormatOption& option : format.options) {
      if (option.use != use) continue;
      nearest.consider(option.name);
      known += concat(known.empty() ? "" : ", ", option.name);
    }
  }
  fail(ErrorKind::Argument, path, "no option \"", name,
       use == FormatOption::Use::Open ? "\" of opening" : "\" of writing", nearest.question(),
       "; there are: ", known);
}

}  // namespace

FormatOptions::FormatOptions(std::initializer_list<Named> values) {
  for (const auto& [name, value] : values) set(name, value);
}

void FormatOptions::set(std::string_view name, OptionValue value) {
  const auto found = std::ranges::find(values_, name, &Named::first);
  if (found == values_.end())
    values_.emplace_back(name, std::move(value));
  else
    found->second = std::move(value);
}

const OptionValue* FormatOptions::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(values_, name, &Named::first);
  return found == values_.end() ? nullptr : &found->second;
}

std::span<const FormatOption> format_options(std::string_view format) {
  return format_named(format).options;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return names;
}

void check_format_options(const std::string& path, std::span<const std::string_view> formats,
                          FormatOption::Use use, const FormatOptions& options) {
  for (const auto& [name, value] : options.values()) {
    const OfFormat found = option_named(name);
    if (found.option == nullptr || found.option->use != use) fail_unknown(path, use, name);
    if (!formats.empty() && std::ranges::find(formats, found.format->name) == formats.end()) {
      fail(ErrorKind::Argument, path, "the option \"", name, "\" of format \"", found.format->name,
           "\" does not apply to format \"", formats.front(), '"');
    }
    if (const std::string expected = expected_instead(*found.option, value); !expected.empty()) {
      fail(ErrorKind::Argument, path, name, ": expected ", expected, ", got ", shown(value));
    }
    if (found.option->fault == nullptr) continue;
    const std::string fault = found.option->fault(std::get<std::string>(value));
    if (!fault.empty()) fail(ErrorKind::Argument, path, name, ": ", fault);
  }
}

}  // namespace heron::inline v0
