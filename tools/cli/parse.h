// Parses the words of the command line into a Request.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace heron::cli {

// The words after the verb. Throws Error(Argument).
Request parse(const Verb& verb, std::vector<std::string> words);

}  // namespace heron::cli
