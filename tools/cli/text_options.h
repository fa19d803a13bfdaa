// How text files are to be read: --separator, --no-header, --encoding, --types, --null-words.
#pragma once

#include "command.h"
#include "heron/csv.h"

namespace heron::cli {

// Throws Error(Argument).
CsvOptions text_options(const Request& request);
// Whether one of them was given.
bool has_text_options(const Request& request);

}  // namespace heron::cli
