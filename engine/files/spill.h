// Spills rows to an unnamed file in the format for spilled rows.
#pragma once

#include <string>

#include "convert/spill.h"

namespace heron::inline v0 {

// Creates files in that folder and throws Error(Write) that names it if it is full. A schema with
// types that the format does not support is Error(Unsupported). The file is mapped to read it back.
MakeSpill spill_in(std::string folder, const Context& context);

}  // namespace heron::inline v0
