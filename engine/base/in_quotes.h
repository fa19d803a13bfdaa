// Names and other bytes of files, as texts of errors show them.
#pragma once

#include <string>
#include <string_view>

namespace heron::inline v0 {

// Returns a text in quotes that is safe to print: U+FFFD stands for control characters and for
// bytes that are not UTF-8, and texts of more than about 100 bytes end in "..".
std::string in_quotes(std::string_view text);

}  // namespace heron::inline v0
