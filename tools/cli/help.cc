#include "help.h"

#include <fmt/core.h>

#include <algorithm>

#include "output/terminal.h"

namespace heron::cli {
namespace {

// Two columns: a term and its description.
struct Line {
  std::string left;
  std::string_view right;
};

// Lines of at most `width` characters, broken at blanks; a word that is longer has a line of its
// own. The first one begins where `begun` characters stand, all others behind `indent` blanks.
std::string wrapped(std::string_view text, size_t width, size_t begun, size_t indent) {
  std::string out;
  bool at_start = true;
  for (size_t column = begun; !text.empty();) {
    const size_t end = std::min(text.find(' '), text.size());
    if (!at_start && column + 1 + end > width) {
      out.append("\n").append(indent, ' ');
      column = indent;
    } else if (!at_start) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    at_start = false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + '\n';
}

// What does not fit beside its left, or has a left that is long, stands below it.
std::string listed(std::string_view title, const std::vector<Line>& lines, size_t width) {
  constexpr size_t kIndent = 2, kBetween = 2;
  if (lines.empty()) return {};
  const size_t longest = std::max<size_t>(width * 2 / 5, 8);
  size_t column = 4;
  for (const Line& line : lines) {
    if (line.left.size() <= longest) column = std::max(column, line.left.size());
  }
  column += kIndent + kBetween;
  std::string text = fmt::format("\n{}:\n", title);
  for (const Line& line : lines) {
    text.append(kIndent, ' ');
    if (line.left.size() <= longest) {
      text += fmt::format("{:{}}", line.left, column - kIndent);
    } else {
      text += wrapped(line.left, width, kIndent, 2 * kIndent);
      text.append(column, ' ');
    }
    text += wrapped(line.right, width, column, column);
  }
  return text;
}

// What each does stands beside it if there is room for all of them, else below it.
std::string examples(const std::vector<Example>& all, size_t width) {
  constexpr size_t kIndent = 2, kBetween = 2;
  size_t commands = 0, meanings = 0;
  for (const Example& example : all) {
    commands = std::max(commands, example.command.size());
    meanings = std::max(meanings, example.what.size());
  }
  const bool beside = kIndent + commands + kBetween + meanings <= width;
  std::string text = all.empty() ? "" : "\nExamples:\n";
  for (const Example& example : all) {
    text.append(kIndent, ' ');
    if (beside) {
      text += fmt::format("{:{}}{}\n", example.command, commands + kBetween, example.what);
      continue;
    }
    text += wrapped(example.command, width, kIndent, 2 * kIndent);
    text.append(3 * kIndent, ' ');
    text += wrapped(example.what, width, 3 * kIndent, 3 * kIndent);
  }
  return text;
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

// A line each: a paragraph, or one of a table.
std::string notes(std::string_view lines, size_t width) {
  std::string text;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    text += (text.empty() ? "\n" : "") + wrapped(lines.substr(0, end), width, 0, 0);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

std::string help_of(const Verb& verb, size_t width) {
  std::vector<Line> arguments, options;
  for (const Argument& argument : verb.arguments) {
    arguments.push_back({std::string(argument.name), argument.what});
  }
  for (const Option& option : verb.options) options.push_back({left_of(option), option.what});
  return wrapped(fmt::format("heron {}: {}", verb.name, verb.what), width, 0, 2) +
         examples(verb.examples, width) + "\n" + wrapped("Usage: " + usage(verb), width, 0, 2) +
         listed("Arguments", arguments, width) + listed("Options", options, width) +
         notes(verb.notes, width);
}

std::string general_help(size_t width) {
  std::vector<Line> lines;
  for (const Verb& verb : verbs()) lines.push_back({std::string(verb.name), verb.what});
  return wrapped(
             "heron: rows, blocks, columns and samples of dataset files, without decoding the rest",
             width, 0, 2) +
         examples(
             {
                 {"heron info data.jay", "what is in it"},
                 {"heron head data.jay", "its first rows"},
                 {"heron row data.jay 123456 7", "two rows, at once"},
                 {"heron scan data.jay -c id,price -o csv", "two columns of all rows"},
                 {"heron sample data.jay -n 256 --seed 7", "random rows"},
             },
             width) +
         "\nUsage: heron VERB FILE [...]\n" + listed("Verbs", lines, width) + "\n" +
         wrapped(
             "heron help VERB says more. Data goes to stdout, all else to stderr. Ends with 0, "
             "or 2 wrong use, 3 unreadable file, 4 unknown format, 5 damaged file, 130 "
             "interrupted (143 by TERM, 129 by HUP), 1 else.",
             width, 0, 0);
}

}  // namespace

void print_help(FileSink& out, const Verb* verb) {
  const size_t width = out.is_terminal() ? terminal_width(out.descriptor()) : kUsualWidth;
  out.append(verb == nullptr ? general_help(width) : help_of(*verb, width));
}

}  // namespace heron::cli
