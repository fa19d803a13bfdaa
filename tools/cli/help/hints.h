// The command line's addition to the library's errors: which of its options might help.
#pragma once

#include <string>
#include <string_view>

namespace heron::cli {

// Returns the hint of an Error with the flags of its options: "; --force replaces it", or nothing.
std::string hint_text(std::string_view hint);

}  // namespace heron::cli
