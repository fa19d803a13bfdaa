// Makes text safe for a terminal: escapes control characters, overrides of the writing direction
// and invisible characters, and measures the width in cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "output/sink.h"

namespace heron::cli {

// Appends the text with unsafe characters escaped, and returns its width in cells. If it needs more
// than `most`, stops with an ellipsis in the last cell. Cells are counted by wcwidth in the
// program's locale.
uint32_t append_printable(Sink& sink, std::string_view text, uint32_t most = UINT32_MAX);

// The same for JSON or CSV, keeping line ends: unsafe characters become JSON escapes, which is
// where JSON can have them anyway. Returns how much of the text was appended: all except an
// incomplete character or line end at the end.
size_t append_lines_printable(std::string& out, std::string_view text);

}  // namespace heron::cli
