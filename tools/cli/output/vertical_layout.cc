#include "output/vertical_layout.h"

#include <algorithm>

#include "output/printable.h"

namespace heron::cli {
namespace {

constexpr uint32_t kBehindName = 2;  // blanks
// Values have no less room than this, whatever their names and the terminal.
constexpr uint32_t kLeastValue = 8;

// Longer names are cut, on a terminal.
uint32_t most_name_cells(const Display& display) {
  return display.width.has_value() ? std::max(*display.width / 2, kLeastValue) : UINT32_MAX;
}

}  // namespace

VerticalLayout::VerticalLayout(Sink& sink, const Display& display,
                               const std::vector<std::string>& names)
    : sink_(sink), colour_(display.colour) {
  std::vector<uint32_t> cells;
  for (const std::string& name : names) {
    scratch_.clear();
    cells.push_back(append_printable(scratch_, name, most_name_cells(display)));
    names_.emplace_back(scratch_.text());
    indent_ = std::max(indent_, cells.back() + kBehindName);
  }
  for (uint64_t i = 0; i < names.size(); ++i) names_[i].append(indent_ - cells[i], ' ');
  const uint32_t width = display.width.value_or(UINT32_MAX);
  value_cells_ = std::max(width - std::min(width, indent_), kLeastValue);
}

void VerticalLayout::next_record() {
  if (!empty_) sink_.append('\n');
  empty_ = false;
}

void VerticalLayout::field(uint64_t i, std::string_view text, bool is_null) {
  scratch_.clear();
  append_printable(scratch_, text);
  if (colour_) sink_.append("\x1b[1m");
  // An empty value leaves no blanks at the line's end.
  const std::string_view name = names_[i];
  sink_.append(text.empty() ? name.substr(0, name.find_last_not_of(' ') + 1) : name);
  if (colour_) sink_.append(is_null ? "\x1b[0m\x1b[2m" : "\x1b[0m");
  write_value(scratch_.text());
  if (colour_ && is_null) sink_.append("\x1b[0m");
  sink_.append('\n');
}

void VerticalLayout::write_value(std::string_view printable) {
  while (true) {
    const size_t fits = bytes_of_cells(printable, value_cells_);
    sink_.append(printable.substr(0, fits));
    printable.remove_prefix(fits);
    if (printable.empty()) return;
    sink_.append('\n');
    for (uint32_t i = 0; i < indent_; ++i) sink_.append(' ');
  }
}

}  // namespace heron::cli
