// Help, generated from the table of verbs: examples first.
#pragma once

#include <string>

#include "command.h"

namespace heron::cli {

std::string help_of(const Verb& verb);
std::string general_help();

}  // namespace heron::cli
