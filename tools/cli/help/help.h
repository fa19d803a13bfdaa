// Help, generated from the table of verbs: examples first.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/sink.h"
#include "parsing/command.h"

namespace heron::cli {

inline constexpr std::string_view kAbout =
    "rows, blocks, columns and samples of dataset files, without decoding the rest";

// Examples for users who do not know the verbs.
std::span<const Example> first_examples();
// An exit code and its meaning, in the words of a list: "wrong use".
struct ExitCode {
  std::string_view code, what;
};
std::span<const ExitCode> exit_codes();
// Returns "heron head FILE... [options]".
std::string usage(const Verb& verb);
// Returns "-c, --columns A,B,C".
std::string shown(const Option& option);
// Returns the title of a section of common options, as in "Reading CSV".
std::string title_of(Section section);
// Returns the words that `heron help` takes: verbs and other topics.
std::vector<std::string_view> help_topics();

// Prints the help of a verb, or of all verbs: as wide as the terminal, or kDefaultWidth.
void print_help(FileSink& out, const Verb* verb = nullptr);
// Prints the options that most verbs have.
void print_options(FileSink& out);

}  // namespace heron::cli
