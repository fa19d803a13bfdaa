// CLI11 finds the options among the words; this code parses their values, so that every error names
// the expected and the given value.
#include "parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "arguments.h"
#include "base/fail.h"
#include "heron/error.h"
#include "options.h"
#include "help/suggestions.h"

namespace heron::cli {
namespace {

void check_choice(std::string_view name, std::string_view choices, std::string_view value) {
  const std::vector<std::string_view> all = words(choices);
  if (all.empty() || has_word(choices, value)) return;
  std::string known;
  for (std::string_view choice : all) known += concat(known.empty() ? "" : ", ", choice);
  fail(ErrorKind::Argument, {}, name, ": expected one of ", known, ", got \"", value, '"');
}

const std::string& once(const Option& option, const GivenValues& given) {
  if (given.size() > 1) {
    fail(ErrorKind::Argument, {}, shown_name(option), " may be given once");
  }
  if (given.front().empty() && !option.may_be_empty) {
    fail(ErrorKind::Argument, {}, shown_name(option), " is empty; expected ", option.value);
  }
  return given.front();
}

void add_option(CLI::App& app, const Option& option, Options& options) {
  if (option.value.empty()) {
    app.add_flag_function(std::string(option.names),
                          [&](int64_t) { option.read(option, {}, options); })
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->disable_flag_override();  // refuses --raw=false
    return;
  }
  CLI::Option* added =
      app.add_option(std::string(option.names), [&](const std::vector<std::string>& values) {
        if (!option.is_list) {
          for (const std::string& value : values)
            check_choice(shown_name(option), option.choices, value);
        }
        option.read(option, values, options);
        return true;
      });
  // Without extra words a value in brackets stays one value, and FILE may follow the option.
  added->expected(1)->allow_extra_args(false);
  added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

// Checks that options have values: CLI11 would take the next option for the value.
void check_values_given(const Verb& verb, const std::vector<std::string>& words) {
  for (uint64_t i = 0; i + 1 < words.size() && words[i] != "--"; ++i) {
    const Option* option = option_named(verb, words[i]);
    if (option == nullptr || option->value.empty()) continue;
    if (option_named(verb, words[i + 1]) == nullptr) continue;
    fail(ErrorKind::Argument, {}, shown_name(*option), " needs a value, got the option ",
         words[i + 1], "; see heron help ", verb.name);
  }
}

// Fails for an option without its value, or a switch with one. CLI11's text begins with the
// option's name, with or without dashes.
[[noreturn]] void fail_option(const Verb& verb, std::string_view text) {
  const std::string_view name = without_dashes(text.substr(0, text.find_first_of(": ")));
  for (const Option& option : verb.options) {
    const OptionNames names = option_names(option);
    if (name != without_dashes(names.brief) && name != without_dashes(names.full)) continue;
    fail(ErrorKind::Argument, {}, shown_name(option),
         option.value.empty() ? " takes no value" : " needs a value", "; see heron help ",
         verb.name);
  }
  fail(ErrorKind::Argument, {}, text, "; see heron help ", verb.name);
}

// Returns how many of the words belong to the first argument, if it repeats: all but one for each
// of the other arguments or, if the last one repeats too, up to the first number. At least one.
uint64_t leading_words(const Verb& verb, const std::vector<std::string>& given) {
  if (verb.arguments.size() > 1 && verb.arguments.back().repeats) {
    const auto is_number = [](const std::string& word) {
      return word.find_first_not_of("0123456789") == std::string::npos;
    };
    const auto second = given.begin() + !given.empty();
    return static_cast<uint64_t>(std::find_if(second, given.end(), is_number) - given.begin());
  }
  const uint64_t others = verb.arguments.size() - 1;
  return given.size() > others ? given.size() - others : 1;
}

// Distributes the words to the arguments.
std::vector<std::vector<std::string>> distributed(const Verb& verb,
                                                  const std::vector<std::string>& given) {
  std::vector<std::vector<std::string>> all(verb.arguments.size());
  uint64_t next = 0;
  for (uint64_t i = 0; i < all.size(); ++i) {
    const bool is_last = i + 1 == all.size();
    uint64_t count = 1;
    if (verb.arguments[i].repeats) count = is_last ? given.size() : leading_words(verb, given);
    for (; count > 0 && next < given.size(); --count) all[i].push_back(given[next++]);
  }
  if (next < given.size()) {
    fail(ErrorKind::Argument, {}, verb.name, ": unexpected argument \"", given[next],
         "\"; see heron help ", verb.name);
  }
  return all;
}

void check_arguments(const Verb& verb, const std::vector<std::vector<std::string>>& given) {
  for (uint64_t i = 0; i < verb.arguments.size(); ++i) {
    const Argument& argument = verb.arguments[i];
    for (const std::string& word : given[i]) check_choice(argument.name, argument.choices, word);
    if (given[i].empty() && argument.required) {
      fail(ErrorKind::Argument, {}, verb.name, ": ", argument.name, " is missing; see heron help ",
           verb.name);
    }
  }
}

}  // namespace

void read_values(const Option&, const GivenValues&, bool& value) {
  value = true;
}

void read_values(const Option& option, const GivenValues& given, std::string& value) {
  value = once(option, given);
}

void read_values(const Option& option, const GivenValues& given,
                 std::optional<std::string>& value) {
  value = once(option, given);
}

void read_values(const Option&, const GivenValues& given, std::vector<std::string>& value) {
  value = given;
}

void read_values(const Option& option, const GivenValues& given, std::optional<uint64_t>& value) {
  const uint64_t number = parse_number(shown_name(option), once(option, given));
  if (number < option.least) {
    fail(ErrorKind::Argument, {}, shown_name(option), ": expected at least ", option.least,
         ", got ", number);
  }
  value = number;
}

void read_values(const Option& option, const GivenValues& given, std::optional<ByteSize>& value) {
  value = ByteSize{parse_size(shown_name(option), once(option, given))};
}

std::vector<std::string> parse_options(const Verb& verb, std::vector<std::string> words,
                                       Request& request) {
  check_values_given(verb, words);
  std::vector<std::string> others;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  for (const Option& option : verb.options) add_option(app, option, request.options);
  // CLI11 gives words to this option as long as it lacks some, and splits brackets in them if it
  // may have extra words. The option is not marked required, so the parser accepts a shorter list.
  app.add_option("arguments",
                 [&](const std::vector<std::string>& values) {
                   others = values;
                   return true;
                 })
      ->expected(CLI::detail::expected_max_vector_size - 1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  std::reverse(words.begin(), words.end());  // CLI11 takes words from the back
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    fail_option(verb, error.what());
  }
  for (const std::string& word : app.remaining()) {
    if (word != "--") fail_unknown_option(verb, word);
  }
  return others;
}

Request parse(const Verb& verb, std::vector<std::string> words) {
  const std::vector<std::string> before_names(words.begin(), std::ranges::find(words, "--"));
  Request request;
  const std::vector<std::string> others = parse_options(verb, std::move(words), request);
  if (request.options.get<CommonOptions>().help) return request;
  for (const std::string& word : others) {
    if (std::ranges::find(before_names, word) != before_names.end()) check_not_negative(verb, word);
  }
  request.arguments = distributed(verb, others);
  check_arguments(verb, request.arguments);
  return request;
}

}  // namespace heron::cli
