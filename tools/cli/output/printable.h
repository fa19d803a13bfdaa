// Text that may be shown on a terminal: no control character or override of the writing direction
// gets through, and its width in cells is known.
#pragma once

#include <cstdint>
#include <string_view>

#include "output/sink.h"

namespace heron::cli {

// Appends the text with escapes for what must not reach a terminal and gives the cells it takes.
// Stops, with an ellipsis in the last cell, where it would need more than `most`. Cells are counted
// by wcwidth under the locale that the program has set.
uint32_t append_printable(Sink& sink, std::string_view text, uint32_t most = UINT32_MAX);

}  // namespace heron::cli
