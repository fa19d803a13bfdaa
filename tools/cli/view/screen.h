// The content of a terminal: lines of styled text, which a test reads as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heron::cli {

enum class Style : uint8_t {
  Plain,
  Heading,
  CurrentHeading,  // heading of the column with the cursor
  Current,         // cell with the cursor
  CurrentRow,
  Null,
  Damage,
  Status,
};

// Text of one style, without control characters.
struct Span {
  Style style = Style::Plain;
  std::string text = {};
};
using ScreenLine = std::vector<Span>;

// A size in cells.
struct ScreenSize {
  uint32_t width = 0;
  uint32_t height = 0;
  bool operator==(const ScreenSize&) const = default;
};

struct Screen {
  std::vector<ScreenLine> lines;          // at most the height, none wider than the width
  std::optional<uint32_t> cursor = {};  // cell of the last line where text is typed
};

// Returns the line without styles and without blanks at its end.
std::string text_of(const ScreenLine& line);
// Returns the line as a terminal draws it. `colour`: damage is red, too.
std::string escapes_of(const ScreenLine& line, bool colour);

// Returns text made safe, cut to that many cells and padded with blanks, on the right or the left.
std::string padded_right(std::string_view text, uint32_t cells);
std::string padded_left(std::string_view text, uint32_t cells);
// Returns text that is safe for a terminal, cut with an ellipsis to that many cells.
std::string safe_text(std::string_view text, uint32_t cells = UINT32_MAX);
// Returns the width of printable text in cells.
uint32_t width_of(std::string_view text);

}  // namespace heron::cli
