// A histogram as a line of text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace heron::cli {

// Returns a character for each count, the taller the nearer it is to the largest; the lowest is for
// 0 alone. The characters are block elements, or ASCII characters of more and more ink.
std::string sparkline(std::span<const uint64_t> counts, bool ascii);

// Returns whether the environment requests text other than UTF-8: LC_ALL, else LC_CTYPE, else LANG.
bool uses_ascii();

}  // namespace heron::cli
