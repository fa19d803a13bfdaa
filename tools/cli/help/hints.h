// The command line's addition to the library's errors: which of its options might help.
#pragma once

#include <string_view>

#include "heron/error.h"

namespace heron::cli {

// Returns the end of the error's text: "; --force replaces it", or nothing.
std::string_view hint_text(Hint hint) noexcept;

}  // namespace heron::cli
