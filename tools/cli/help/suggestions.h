// What the program says to words that it does not know: what was meant, as far as the tables tell.
#pragma once

#include <string_view>

#include "command.h"

namespace heron::cli {

// Throws Error(Argument) for a word in the verb's place that is no verb.
[[noreturn]] void fail_unknown_verb(std::string_view word);
// Throws Error(Argument) for a word with leading dashes that is no option of the verb.
[[noreturn]] void fail_unknown_option(const Verb& verb, std::string_view word);
// Throws Error(Argument) for a number behind a dash, of which other programs print as many rows
// (head -5) or count from the end (row -1), if the verb has rows to count.
void check_not_negative(const Verb& verb, std::string_view word);

}  // namespace heron::cli
