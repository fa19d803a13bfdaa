// Help, generated from the table of verbs: examples first.
#pragma once

#include "command.h"
#include "output/sink.h"

namespace heron::cli {

// Of a verb, or without one of all of them: as wide as the terminal, or kUsualWidth.
void print_help(FileSink& out, const Verb* verb = nullptr);

}  // namespace heron::cli
