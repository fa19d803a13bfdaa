#include "output/terminal.h"

#include <sys/ioctl.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace heron::cli {

uint32_t terminal_width(int descriptor) {
  if (const char* columns = std::getenv("COLUMNS")) {
    const char* const end = columns + std::strlen(columns);
    uint32_t width = 0;
    if (std::from_chars(columns, end, width).ptr == end && width > 0) return width;
  }
  winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kDefaultWidth;
}

bool uses_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace heron::cli
