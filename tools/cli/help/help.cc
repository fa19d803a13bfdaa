#include "help/help.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "output/terminal.h"
#include "parsing/format_flags.h"
#include "parsing/options.h"

namespace heron::cli {
namespace {

// A line of a list in two columns: a term and its description.
struct Line {
  std::string left;
  std::string_view right;
};

// Returns lines of at most `width` characters, broken at blanks; a longer word has a line of its
// own. The first line begins behind `begun` characters, all others behind `indent` blanks.
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

// Returns a list of terms and descriptions. A term that is too long has its description on the next
// line.
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

// Returns the examples. Descriptions are beside the commands if all of them fit there, else below.
std::string examples(std::span<const Example> all, size_t width) {
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

// Wraps notes, in which each line is a paragraph, or a line of a table.
std::string notes(std::string_view lines, size_t width) {
  std::string text;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    if (text.empty()) text += '\n';
    text += wrapped(lines.substr(0, end), width, 0, 0);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

// Returns the left side of an option. A long name without a short one is aligned with other long
// names.
std::string left_of(const Option& option) {
  const bool is_brief = !option_names(option).brief.empty();
  return is_brief ? shown(option) : "    " + shown(option);
}

// Returns "--entry, --format, -q": names of options whose help is printed elsewhere.
std::string names_of(const std::vector<const Option*>& options) {
  std::string text;
  for (const Option* option : options) {
    if (!text.empty()) text += ", ";
    text += shown_name(*option);
  }
  return text;
}

std::string options_of(const Verb& verb, size_t width) {
  std::vector<Line> own;
  std::vector<const Option*> common;
  for (const Option& option : verb.options) {
    if (option.section == Section::Own) {
      own.push_back({left_of(option), option.what});
    } else {
      common.push_back(&option);
    }
  }
  return listed("Options", own, width) + "\n" +
         wrapped("Common options (see heron help options): " + names_of(common), width, 0, 2);
}

std::string help_of(const Verb& verb, size_t width) {
  std::vector<Line> arguments;
  for (const Argument& argument : verb.arguments) {
    arguments.push_back({std::string(argument.name), argument.what});
  }
  return wrapped(fmt::format("heron {}: {}", verb.name, verb.what), width, 0, 2) +
         examples(verb.examples, width) + "\n" + wrapped("Usage: " + usage(verb), width, 0, 2) +
         listed("Arguments", arguments, width) + options_of(verb, width) + notes(verb.notes, width);
}

std::string general_help(size_t width) {
  std::vector<Line> lines, codes;
  for (const Verb& verb : verbs()) lines.push_back({std::string(verb.name), verb.what});
  for (const auto& [code, what] : exit_codes()) codes.push_back({std::string(code), what});
  return wrapped(fmt::format("heron: {}", kAbout), width, 0, 2) +
         examples(first_examples(), width) + "\nUsage: heron VERB FILE [...]\n" +
         listed("Verbs", lines, width) + listed("Exit codes", codes, width) + "\n" +
         wrapped(
             "heron help VERB explains a verb, heron help options the options of all verbs that "
             "read files. Data goes to stdout, all else to stderr.",
             width, 0, 0);
}

std::string options_help(size_t width) {
  std::string text = wrapped("Options of all verbs that read files", width, 0, 2);
  for (const Section section : {Section::Opening, Section::Text, Section::Running}) {
    std::vector<Line> lines;
    for (const Option& option : common_options()) {
      if (option.section == section) lines.push_back({left_of(option), option.what});
    }
    text += listed(title_of(section), lines, width);
  }
  return text;
}

size_t width_of(const FileSink& out) {
  return out.is_terminal() ? terminal_width(out.descriptor()) : kDefaultWidth;
}

}  // namespace

std::span<const Example> first_examples() {
  static constexpr Example kAll[] = {
      {"heron info data.jay", "what is in it"},
      {"heron head data.jay", "its first rows"},
      {"heron row data.jay 123456 7", "two rows by number"},
      {"heron scan data.jay -c id,price -o csv", "two columns of all rows"},
      {"heron sample data.jay -n 256 --seed 7", "random rows"},
      {"heron convert data.csv data.jay", "another format"},
  };
  return kAll;
}

std::span<const ExitCode> exit_codes() {
  static constexpr ExitCode kAll[] = {
      {"0", "done"},
      {"1", "any other error, a limit among them; diff: the files differ"},
      {"2", "wrong use: options, expressions, unknown columns, rows out of range"},
      {"3", "a file that cannot be read, or was changed while it was read"},
      {"4", "an unknown or unsupported format, version or codec"},
      {"5", "a damaged file"},
      {"130", "interrupted (143 by TERM, 129 by HUP)"},
  };
  return kAll;
}

std::string usage(const Verb& verb) {
  std::string text = fmt::format("heron {}", verb.name);
  for (const Argument& argument : verb.arguments) {
    text += fmt::format(" {}{}{}{}", argument.required ? "" : "[", argument.name,
                        argument.repeats ? "..." : "", argument.required ? "" : "]");
  }
  return text + (verb.options.empty() ? "" : " [options]");
}

std::string shown(const Option& option) {
  const OptionNames names = option_names(option);
  std::string text(names.brief);
  if (!names.brief.empty() && !names.full.empty()) text += ", ";
  text += names.full;
  if (option.value.empty()) return text;
  std::string value(option.choices.empty() || option.is_list ? option.value : option.choices);
  std::replace(value.begin(), value.end(), ' ', '|');
  return text + " " + value;
}

std::string title_of(Section section) {
  switch (section) {
    case Section::Own: break;
    case Section::Opening: return "Opening files";
    case Section::Text: {
      std::string format(format_of_section());
      std::ranges::transform(format, format.begin(),
                             [](unsigned char c) { return std::toupper(c); });
      return "Reading " + format;
    }
    case Section::Running: return "Running";
  }
  return "Options";
}

std::vector<std::string_view> help_topics() {
  std::vector<std::string_view> topics;
  for (const Verb& verb : verbs()) topics.push_back(verb.name);
  topics.insert(topics.end(), {"options", "man"});
  return topics;
}

void print_help(FileSink& out, const Verb* verb) {
  const size_t width = width_of(out);
  out.append(verb == nullptr ? general_help(width) : help_of(*verb, width));
}

void print_options(FileSink& out) {
  out.append(options_help(width_of(out)));
}

}  // namespace heron::cli
