// How text files are to be read: the options "of CSV".
#pragma once

#include <string>
#include <vector>

#include "heron/csv.h"
#include "options.h"

namespace heron::cli {

// Throws Error(Argument).
CsvOptions text_options(const TextOptions& asked);
// The types that --types takes.
std::vector<std::string> type_names();
// Whether one of them was given.
bool is_given(const TextOptions& asked);

}  // namespace heron::cli
