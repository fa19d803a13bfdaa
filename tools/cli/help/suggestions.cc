#include "help/suggestions.h"

#include <algorithm>
#include <cctype>

#include "base/fail.h"
#include "base/nearest.h"
#include "help/help.h"
#include "heron/error.h"
#include "parsing/arguments.h"

namespace heron::cli {
namespace {

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

// Returns the option that other programs call so; null: none.
const Option* option_known_as(const Verb& verb, std::string_view name) {
  const auto found = std::ranges::find_if(
      verb.options, [&](const Option& option) { return has_word(option.elsewhere, name); });
  return found == verb.options.end() ? nullptr : &*found;
}

// Lists the verbs that have an option: "scan, count and stats".
std::string verbs_with(std::string_view option) {
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs()) {
    if (option_named(verb, option) != nullptr) names.push_back(verb.name);
  }
  std::string text;
  for (const std::string_view& name : names) {
    const bool is_last = &name == &names.back();
    text += concat(text.empty() ? "" : is_last ? " and " : ", ", name);
  }
  return names.empty() ? text : concat(text, names.size() == 1 ? " has" : " have", " it");
}

// Returns the option with the most similar name, of Heron or of other programs. For a single
// letter, only the same letter in the other case is similar.
std::string similar_option(const Verb& verb, std::string_view given) {
  if (given.size() == 2) {
    for (const Option& option : verb.options) {
      const std::string_view brief = option_names(option).brief;
      if (brief.size() == 2 && std::toupper(given.back()) == std::toupper(brief.back())) {
        return concat("; did you mean \"", brief, "\"?");
      }
    }
    return {};
  }
  Nearest nearest(without_dashes(given));
  for (const Option& option : verb.options) {
    const std::string_view full = option_names(option).full;
    if (!full.empty()) nearest.consider(without_dashes(full), full);
  }
  for (const Option& option : verb.options) {
    for (const std::string_view name : words(option.elsewhere)) {
      if (name.size() > 2) nearest.consider(without_dashes(name), shown_name(option));
    }
  }
  return nearest.question();
}

std::string hint_at_verb(std::string_view word) {
  for (const Verb& verb : verbs()) {
    for (const Elsewhere& other : verb.elsewhere) {
      if (has_word(other.verbs, word)) return concat("; ", other.aim, ": ", other.command);
    }
  }
  if (word.starts_with('-')) return "; the verb comes first: heron VERB FILE [options]";
  if (word.find_first_of("./") != std::string_view::npos) {
    return concat("; the verb comes first: heron info ", word);
  }
  Nearest nearest(word);
  for (const Verb& verb : verbs()) nearest.consider(verb.name);
  return nearest.found().empty() ? "; see heron help" : nearest.question();
}

std::string hint_at_option(const Verb& verb, std::string_view name) {
  if (const Option* meant = option_known_as(verb, name)) return concat("; use ", shown(*meant));
  for (const Argument& argument : verb.arguments) {
    if (!has_word(argument.elsewhere, name)) continue;
    return concat("; ", argument.name, " takes no option before it: ", usage(verb));
  }
  if (const std::string others = verbs_with(name); !others.empty()) return concat("; ", others);
  const std::string similar = similar_option(verb, name);
  return similar.empty() ? concat("; see heron help ", verb.name) : similar;
}

}  // namespace

void fail_unknown_verb(std::string_view word) {
  fail(ErrorKind::Argument, {}, "unknown verb \"", word, '"', hint_at_verb(word));
}

void fail_unknown_option(const Verb& verb, std::string_view word) {
  std::string_view name = word.substr(0, word.find('='));
  const bool has_value = !name.starts_with("--") && name.size() > 2;  // -n3
  if (has_value && option_known_as(verb, name.substr(0, 2))) name = name.substr(0, 2);
  fail(ErrorKind::Argument, {}, "unknown option \"", name, '"', hint_at_option(verb, name));
}

void check_not_negative(const Verb& verb, std::string_view word) {
  if (word.size() < 2 || word[0] != '-' || word[1] < '0' || word[1] > '9') return;
  const Option* count = option_named(verb, "-n");
  if (count == nullptr) count = option_known_as(verb, "-n");
  if (count != nullptr) {
    const OptionNames names = option_names(*count);
    fail(ErrorKind::Argument, {}, "unknown option \"", word, "\"; did you mean \"",
         names.brief.empty() ? names.full : names.brief, ' ', word.substr(1), "\"?");
  }
  for (const Argument& argument : verb.arguments) {
    if (argument.kind == Kind::Row || argument.kind == Kind::Rows) parse_row(argument.name, word);
  }
}

}  // namespace heron::cli
