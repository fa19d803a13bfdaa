#include "completion.h"

#include <fmt/core.h>

#include <algorithm>

#include "command.h"

namespace heron::cli {
namespace {

std::string verb_names() {
  std::string names;
  for (const Verb& verb : verbs())
    names += fmt::format("{}{}", names.empty() ? "" : " ", verb.name);
  return names;
}

// The possible words of an argument; empty for files and for open sets.
std::string choices_of(const Argument& argument) {
  return argument.kind == Argument::Kind::Verb ? verb_names() : std::string(argument.choices);
}

// Text in single quotes of a shell.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return out + "'";
}

std::string bash() {
  std::string text = fmt::format(R"(# bash completion of heron
_heron() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options= choices= files=
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W {} -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
)",
                                 quoted(verb_names()));
  for (const Verb& verb : verbs()) {
    std::string options, choices, values;
    for (const Option& option : verb.options) {
      std::string names(option.names), pattern(option.names);
      std::replace(names.begin(), names.end(), ',', ' ');
      std::replace(pattern.begin(), pattern.end(), ',', '|');
      options += (options.empty() ? "" : " ") + names;
      if (option.value.empty()) continue;
      values +=
          fmt::format("        {}) {} ;;\n", pattern,
                      option.is_file           ? "files=1 options="
                      : option.choices.empty() ? "return"
                                               : "options= choices=" + quoted(option.choices));
    }
    for (const Argument& argument : verb.arguments) choices += choices_of(argument);
    text += fmt::format(
        "    {})\n      options={} choices={} files={}\n      case $previous in\n{}      esac ;;\n",
        verb.name, quoted(options), quoted(choices), verb.reads_file() ? "1" : "", values);
  }
  return text + R"(  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
    [[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _heron heron
)";
}

// Colons and brackets are special in zsh's descriptions.
std::string zsh_described(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(std::string_view name, std::string_view choices, bool is_file) {
  if (is_file) return fmt::format(":{}:_files", name);
  if (!choices.empty()) return fmt::format(":{}:({})", name, choices);
  return fmt::format(":{}: ", name);
}

std::string zsh() {
  std::string text = "#compdef heron\n_heron() {\n  local -a verbs=(\n";
  for (const Verb& verb : verbs()) {
    text +=
        fmt::format("    {}\n", quoted(fmt::format("{}:{}", verb.name, zsh_described(verb.what))));
  }
  text +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe verb verbs\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n  case $verb in\n";
  for (const Verb& verb : verbs()) {
    text += fmt::format("    {}) _arguments", verb.name);
    for (const Option& option : verb.options) {
      const OptionNames names = option_names(option);
      const std::string value = option.value.empty() ? ""
                                                     : zsh_value(zsh_described(option.value),
                                                                 option.choices, option.is_file);
      const std::string once =
          option.repeats ? "*" : fmt::format("({} {})", names.brief, names.full);
      for (std::string_view name : {names.brief, names.full}) {
        if (name.empty()) continue;
        text += " \\\n      " +
                quoted(fmt::format("{}{}[{}]{}", once, name, zsh_described(option.what), value));
      }
    }
    // After a first argument that repeats, any word may be another of it.
    const bool files = verb.arguments.size() > 1 && verb.arguments.front().repeats;
    for (const Argument& argument : verb.arguments) {
      const bool is_first = &argument == &verb.arguments.front();
      const std::string value =
          zsh_value(zsh_described(argument.name), choices_of(argument),
                    argument.kind == Argument::Kind::File || (files && !is_first));
      text += " \\\n      " + quoted((files ? !is_first : argument.repeats) ? "*" + value : value);
    }
    text += " ;;\n";
  }
  return text +
         "  esac\n}\n"
         "if [[ $funcstack[1] == _heron ]]; then _heron \"$@\"; else compdef _heron heron; fi\n";
}

std::string fish() {
  std::string text = "# fish completion of heron\n";
  for (const Verb& verb : verbs()) {
    text += fmt::format("complete -c heron -n __fish_use_subcommand -f -a {} -d {}\n", verb.name,
                        quoted(verb.what));
    const std::string when =
        fmt::format("complete -c heron -n '__fish_seen_subcommand_from {}'", verb.name);
    for (const Option& option : verb.options) {
      const OptionNames names = option_names(option);
      text += when;
      if (!names.brief.empty()) text += fmt::format(" -s {}", names.brief.substr(1));
      if (!names.full.empty()) text += fmt::format(" -l {}", names.full.substr(2));
      if (!option.value.empty()) text += option.is_file ? " -r -F" : " -x";
      if (!option.choices.empty()) text += fmt::format(" -a {}", quoted(option.choices));
      text += fmt::format(" -d {}\n", quoted(option.what));
    }
    for (const Argument& argument : verb.arguments) {
      const std::string choices = choices_of(argument);
      if (!choices.empty()) text += fmt::format("{} -f -a {}\n", when, quoted(choices));
    }
  }
  return text;
}

}  // namespace

std::string completion_for(std::string_view shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  return fish();
}

}  // namespace heron::cli
