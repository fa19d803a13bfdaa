#include "help/help.h"

#include <fmt/core.h>

#include "heron/library.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

// Escapes text so that roff interprets nothing in it: no escapes, no requests, no hyphens for
// dashes.
std::string plain(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// Returns a paragraph behind a tag.
std::string tagged(std::string_view tag, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", plain(tag), plain(text));
}

std::string commands(std::span<const Example> examples) {
  std::string text;
  for (const auto& [command, what] : examples) text += tagged(command, what);
  return text;
}

std::string roff_options(const std::vector<Option>& options, Section section) {
  std::string text;
  for (const Option& option : options) {
    if (option.section == section) text += tagged(shown(option), option.what);
  }
  return text;
}

// Formats paragraphs, and lines of a table, which have several blanks in a row.
std::string roff_notes(std::string_view lines) {
  std::string text;
  bool in_table = false;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.empty()) continue;
    const bool is_row = line.find("  ") != std::string_view::npos;
    if (in_table != is_row) text += is_row ? ".PP\n.nf\n" : ".fi\n";
    in_table = is_row;
    text += (is_row ? "" : ".PP\n") + plain(line) + '\n';
  }
  return in_table ? text + ".fi\n" : text;
}

std::string section_of(const Verb& verb) {
  std::string text = fmt::format(".SS {}\n{}.\n", plain(usage(verb)), plain(verb.what));
  for (const Argument& argument : verb.arguments) text += tagged(argument.name, argument.what);
  text += roff_options(verb.options, Section::Own);
  text += roff_notes(verb.notes);
  return text + ".PP\nExamples:\n" + commands(verb.examples);
}

// Returns the manual page heron(1) as man(7) source.
std::string manual() {
  std::string text = fmt::format(
      ".\\\" Made by heron help man.\n.TH HERON 1 \"\" \"heron {}\" \"User Commands\"\n"
      ".SH NAME\nheron \\- {}\n.SH SYNOPSIS\n.B heron\n.I VERB FILE\n[...]\n"
      ".SH DESCRIPTION\nData goes to stdout, all else to stderr.\n{}.SH VERBS\n",
      version(), plain(kAbout), commands(first_examples()));
  for (const Verb& verb : verbs()) text += section_of(verb);
  text += ".SH COMMON OPTIONS\nAll verbs that read files have these options.\n";
  for (const Section section : {Section::Opening, Section::Text, Section::Running}) {
    text += fmt::format(".SS {}\n", title_of(section)) + roff_options(common_options(), section);
  }
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, what] : exit_codes()) text += tagged(code, what);
  text += ".SH ENVIRONMENT\n";
  text += tagged("HERON_INDEX_DIR", "the folder for indexes, instead of beside the files");
  text += tagged("NO_COLOR", "print tables without colours if this is set");
  text += tagged("TMPDIR", "the folder for spilled values (default: /tmp)");
  return text;
}

void run_help(Session& session) {
  const std::string topic = session.argument(0);
  FileSink& out = session.out();
  if (topic == "man") {
    out.append(manual());
  } else if (topic == "options") {
    print_options(out);
  } else {
    print_help(out, topic.empty() ? nullptr : &verb_named(topic));
  }
}

}  // namespace

Verb help_verb() {
  return {"help",
          "print this help, the help of a verb, or the options that most verbs have",
          {{"heron help find", "all that find can do"},
           {"heron help options", "the options of all verbs that read files"},
           {"heron help man > heron.1", "the manual page"}},
          {{"TOPIC", "a verb, options or man", Kind::Topic, false}},
          {kHelp},
          run_help,
          {},
          {{"man usage commands", "to print the help", "heron help"}}};
}

}  // namespace heron::cli
