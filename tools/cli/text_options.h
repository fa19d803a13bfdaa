// How text files are to be read: --separator, --no-header, --encoding, --types, --null-words.
#pragma once

#include "heron/csv.h"
#include "options.h"

namespace heron::cli {

// Throws Error(Argument).
CsvOptions text_options(const TextOptions& asked);
// Whether one of them was given.
bool is_given(const TextOptions& asked);

}  // namespace heron::cli
