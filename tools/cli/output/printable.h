// Makes text safe for a terminal: escapes control characters, overrides of the writing direction
// and invisible characters, and measures the width in cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "output/sink.h"

namespace heron::cli {

// Appends the text with unsafe characters escaped, and returns its width in cells. A text wider
// than `max_width` ends with an ellipsis in the last cell. Cells are counted by wcwidth in the
// program's locale.
uint32_t append_printable(TextSink& sink, std::string_view text, uint32_t max_width = UINT32_MAX);

// Returns how many bytes of the text that append_printable() has written fill at most
// `max_width` cells; at least one character.
size_t bytes_of_cells(std::string_view printable, uint32_t max_width);

// Appends lines of JSON or CSV, which stay lines: characters that must not reach a terminal are
// escaped as in JSON texts, the only part of JSON that can have them. Returns how much of the text
// was appended: all but the beginning of a character, or of a line's end, that is not yet whole.
size_t append_lines_printable(std::string& out, std::string_view text);

}  // namespace heron::cli
