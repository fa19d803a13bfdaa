// The terminal that stdout may be.
#pragma once

#include <cstdint>

namespace heron::cli {

inline constexpr uint32_t kUsualWidth = 80;

// In cells: what COLUMNS says, else what the terminal says, else kUsualWidth.
uint32_t terminal_width(int descriptor);
// By NO_COLOR and TERM.
bool colour_wanted();

}  // namespace heron::cli
