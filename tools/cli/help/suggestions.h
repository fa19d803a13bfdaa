// Errors for words that the program does not know, with what was meant, as far as the tables show.
#pragma once

#include <string_view>

#include "parsing/command.h"

namespace heron::cli {

// Throws Error(Argument) for a word that should be a verb and is none.
[[noreturn]] void fail_unknown_verb(std::string_view word);
// Throws Error(Argument) for a word with leading dashes that is no option of the verb.
[[noreturn]] void fail_unknown_option(const Verb& verb, std::string_view word);
// Throws Error(Argument) for a number behind a dash, with which other programs print that number of
// rows (head -5) or count from the end (row -1), if the verb has rows to count.
void check_not_negative(const Verb& verb, std::string_view word);

}  // namespace heron::cli
