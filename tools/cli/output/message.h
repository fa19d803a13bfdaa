// Messages on stderr.
#pragma once

#include <initializer_list>
#include <string_view>

namespace heron::cli {

// Writes one line, "heron: " and the parts concatenated, with characters escaped that a terminal
// must not receive. Ignores failures to write. Works without free memory.
void write_message(std::initializer_list<std::string_view> parts) noexcept;

}  // namespace heron::cli
