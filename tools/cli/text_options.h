// How text files are read: the options "of CSV".
#pragma once

#include <string>
#include <vector>

#include "heron/csv.h"
#include "options.h"

namespace heron::cli {

// Converts the options. Throws Error(Argument).
CsvOptions text_options(const TextOptions& asked);
// Returns the types that --types takes.
std::vector<std::string> type_names();
// Whether any of the options was given.
bool is_given(const TextOptions& asked);

}  // namespace heron::cli
