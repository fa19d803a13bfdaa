#include "output/vertical_layout.h"

#include <algorithm>
#include <utility>

#include "output/printable.h"

namespace heron::cli {
namespace {

constexpr uint32_t kBehindName = 2;  // blanks behind a name
// Longer names do not move the values of other fields.
constexpr uint32_t kMaxAligned = 40;
// Values have at least this width, whatever their names and the terminal.
constexpr uint32_t kMinValue = 8;

}  // namespace

VerticalLayout::VerticalLayout(TextSink& sink, const Display& display,
                               std::vector<std::string> names)
    : sink_(sink),
      colour_(display.colour),
      names_(std::move(names)),
      name_cells_(display.width.has_value()
                      ? std::clamp(*display.width / 2, kMinValue, kMaxAligned)
                      : UINT32_MAX) {
  for (const std::string& name : names_) {
    scratch_.clear();
    const uint32_t cells = append_printable(scratch_, name, name_cells_);
    indent_ = std::max(indent_, std::min(cells, kMaxAligned) + kBehindName);
  }
  const uint32_t width = display.width.value_or(UINT32_MAX);
  value_cells_ = std::max(width - std::min(width, indent_), kMinValue);
}

void VerticalLayout::next_record() {
  if (!empty_) sink_.append('\n');
  empty_ = false;
}

void VerticalLayout::field(uint64_t i, std::string_view text, bool is_null) {
  write_name(names_[i], text.empty());
  scratch_.clear();
  append_printable(scratch_, text);
  const bool dim = is_null && colour_;
  if (dim) sink_.append("\x1b[2m");
  write_value(scratch_.text());
  if (dim) sink_.append("\x1b[0m");
  sink_.append('\n');
}

void VerticalLayout::write_name(std::string_view name, bool alone) {
  if (colour_) sink_.append("\x1b[1m");
  const uint32_t cells = append_printable(sink_, name, name_cells_);
  if (colour_) sink_.append("\x1b[0m");
  if (alone) return;  // avoids blanks at the end of the line
  const uint32_t blanks = std::max(indent_ - std::min(indent_, cells), kBehindName);
  for (uint32_t i = 0; i < blanks; ++i) sink_.append(' ');
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
