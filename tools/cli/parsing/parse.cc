// Divides the words among the options and arguments, and parses their values, so that every error
// names the expected and the given value.
#include "parsing/parse.h"

#include <algorithm>
#include <map>
#include <span>

#include "base/fail.h"
#include "help/suggestions.h"
#include "heron/error.h"
#include "parsing/arguments.h"
#include "parsing/options.h"

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

// The options and the other words of a command line.
class DividedWords {
 public:
  DividedWords(const Verb& verb, std::span<const std::string> words) : verb_(verb), rest_(words) {
    while (!rest_.empty()) {
      const std::string word = next();
      if (word == "--") break;
      if (word.starts_with("--")) {
        take_long(word);
      } else if (word.size() > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9')) {
        take_short(word);
      } else {
        others_.push_back(word);
      }
    }
    before_dashes_ = others_.size();
    others_.insert(others_.end(), rest_.begin(), rest_.end());
  }

  // Reads the values of the options.
  void read(Options& options) const {
    for (const auto& [option, values] : given_) {
      if (!option->is_list) {
        for (const std::string& value : values) {
          check_choice(shown_name(*option), option->choices, value);
        }
      }
      option->read(*option, values, options);
    }
  }

  const std::vector<std::string>& others() const noexcept { return others_; }
  // The others without those behind "--".
  std::span<const std::string> before_dashes() const {
    return std::span(others_).first(before_dashes_);
  }

 private:
  const std::string& next() {
    const std::string& word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }

  // --name, --name value or --name=value
  void take_long(const std::string& word) {
    const size_t equals = word.find('=');
    const Option* option = option_named(verb_, std::string_view(word).substr(0, equals));
    if (option == nullptr) fail_unknown_option(verb_, word);
    if (equals == std::string::npos) return take(*option);
    if (option->value.empty()) fail_option(*option, " takes no value");
    std::string value = word.substr(equals + 1);
    if (value.empty() && !option->may_be_empty) fail_option(*option, " needs a value");
    given_[option].push_back(std::move(value));
  }

  // -n value, -nvalue, and switches in front: -qn5
  void take_short(const std::string& word) {
    for (size_t at = 1; at < word.size(); ++at) {
      const Option* option = option_named(verb_, concat('-', word[at]));
      if (option == nullptr) fail_unknown_option(verb_, concat('-', word.substr(at)));
      if (!option->value.empty() && at + 1 < word.size()) {
        given_[option].push_back(word.substr(at + 1));
        return;
      }
      take(*option);
    }
  }

  // A switch, or an option whose value is the next word.
  void take(const Option& option) {
    GivenValues& values = given_[&option];
    if (option.value.empty()) return;
    if (rest_.empty()) fail_option(option, " needs a value");
    if (option_named(verb_, rest_.front()) != nullptr) {
      fail_option(option, concat(" needs a value, got the option ", rest_.front()));
    }
    values.push_back(next());
  }

  [[noreturn]] void fail_option(const Option& option, std::string_view what) const {
    fail(ErrorKind::Argument, {}, shown_name(option), what, "; see heron help ", verb_.name);
  }

  const Verb& verb_;
  std::span<const std::string> rest_;
  std::map<const Option*, GivenValues> given_;  // sorted by the order of the verb's table
  std::vector<std::string> others_;
  uint64_t before_dashes_ = 0;
};

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
  if (number < option.min) {
    fail(ErrorKind::Argument, {}, shown_name(option), ": expected at least ", option.min,
         ", got ", number);
  }
  value = number;
}

void read_values(const Option& option, const GivenValues& given, std::optional<ByteSize>& value) {
  value = ByteSize{parse_size(shown_name(option), once(option, given))};
}

std::vector<std::string> parse_options(const Verb& verb, std::span<const std::string> words,
                                       Request& request) {
  const DividedWords divided(verb, words);
  divided.read(request.options);
  return divided.others();
}

Request parse(const Verb& verb, std::span<const std::string> words) {
  const DividedWords divided(verb, words);
  Request request;
  divided.read(request.options);
  if (request.options.get<CommonOptions>().help) return request;
  for (const std::string& word : divided.before_dashes()) check_not_negative(verb, word);
  request.arguments = distributed(verb, divided.others());
  check_arguments(verb, request.arguments);
  return request;
}

}  // namespace heron::cli
