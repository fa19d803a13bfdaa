// Properties of the terminal that stdout may be.
#pragma once

#include <cstdint>

namespace heron::cli {

inline constexpr uint32_t kDefaultWidth = 80;

// Returns the width in cells: the value of COLUMNS, else the terminal's, else kDefaultWidth.
uint32_t terminal_width(int descriptor);
// Returns whether output may have colours, by NO_COLOR and TERM.
bool uses_colour();

}  // namespace heron::cli
