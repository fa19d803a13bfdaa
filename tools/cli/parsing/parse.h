// Parses the words of the command line into a Request.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "parsing/command.h"

namespace heron::cli {

// Parses the words after the verb. Throws Error(Argument).
Request parse(const Verb& verb, std::span<const std::string> words);
// Reads only the options into the request. Returns the other words, which are not checked.
std::vector<std::string> parse_options(const Verb& verb, std::span<const std::string> words,
                                       Request& request);

}  // namespace heron::cli
