#include "help.h"

#include <fmt/core.h>

#include <algorithm>

namespace heron::cli {
namespace {

// Two columns: a term and its description.
struct Line {
  std::string left;
  std::string_view right;
};

std::string listed(std::string_view title, const std::vector<Line>& lines) {
  if (lines.empty()) return {};
  size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.left.size());
  std::string text = fmt::format("\n{}:\n", title);
  for (const Line& line : lines) {
    text += fmt::format("  {:{}}  {}\n", line.left, width, line.right);
  }
  return text;
}

std::string examples(const std::vector<Example>& all) {
  std::vector<Line> lines;
  for (const Example& example : all) lines.push_back({std::string(example.command), example.what});
  return listed("Examples", lines);
}

std::string usage(const Verb& verb) {
  std::string text = fmt::format("heron {}", verb.name);
  for (const Argument& argument : verb.arguments) {
    text += fmt::format(" {}{}{}{}", argument.required ? "" : "[", argument.name,
                        argument.repeats ? "..." : "", argument.required ? "" : "]");
  }
  return text + (verb.options.empty() ? "" : " [options]");
}

std::string left_of(const Option& option) {
  const OptionNames names = option_names(option);
  std::string text = names.brief.empty() ? "   " : std::string(names.brief);
  if (!names.full.empty()) text += fmt::format("{} {}", names.brief.empty() ? "" : ",", names.full);
  if (option.value.empty()) return text;
  std::string value(option.choices.empty() ? option.value : option.choices);
  std::replace(value.begin(), value.end(), ' ', '|');
  return text + " " + value;
}

}  // namespace

std::string help_of(const Verb& verb) {
  std::vector<Line> arguments, options;
  for (const Argument& argument : verb.arguments) {
    arguments.push_back({std::string(argument.name), argument.what});
  }
  for (const Option& option : verb.options) options.push_back({left_of(option), option.what});
  return fmt::format("heron {}: {}\n{}\nUsage: {}\n{}{}{}{}", verb.name, verb.what,
                     examples(verb.examples), usage(verb), listed("Arguments", arguments),
                     listed("Options", options), verb.notes.empty() ? "" : "\n", verb.notes);
}

std::string general_help() {
  std::vector<Line> lines;
  for (const Verb& verb : verbs()) lines.push_back({std::string(verb.name), verb.what});
  return "heron: rows, blocks, columns and samples of dataset files, without decoding the rest\n" +
         examples({
             {"heron info data.jay", "what is in it"},
             {"heron head data.jay", "its first rows"},
             {"heron row data.jay 123456 7", "two rows, at once"},
             {"heron scan data.jay -c id,price -o csv", "two columns of all rows"},
             {"heron sample data.jay -n 256 --seed 7", "random rows"},
         }) +
         "\nUsage: heron VERB FILE [...]\n" + listed("Verbs", lines) +
         "\nheron help VERB tells more. Data goes to stdout, all else to stderr. Ends with 0, or\n"
         "2 wrong use, 3 unreadable file, 4 unknown format, 5 damaged file, 130 interrupted (143 "
         "by\nTERM, 129 by HUP), 1 else.\n";
}

}  // namespace heron::cli
