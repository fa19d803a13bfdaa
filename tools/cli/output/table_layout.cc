#include "output/table_layout.h"

#include <algorithm>
#include <bit>

#include "output/printable.h"

namespace heron::cli {
namespace {

constexpr uint32_t kBetween = 2;   // blanks between columns
constexpr uint32_t kGapWidth = 1;  // width of the ellipsis for columns left out
// Texts are cut to this width before columns are left out.
constexpr uint32_t kShortText = 16;

}  // namespace

TableLayout::TableLayout(TextSink& sink, Display display, std::vector<Heading> headings)
    : sink_(sink), display_(display), headings_(std::move(headings)) {
  // More columns than `side` on either side cannot fit, however narrow they are.
  const uint64_t side =
      display_.width.has_value() ? *display_.width / (1 + kBetween) + 1 : UINT64_MAX;
  const uint64_t count = headings_.size();
  for (uint64_t i = 0; i < count; ++i) {
    if (i >= side && count - i > side) {
      gap_ = i;
      i = count - side;
    }
    shown_.push_back(i);
  }
  columns_.resize(shown_.size());
  for (uint64_t i = 0; i < shown_.size(); ++i) measure(i, headings_[shown_[i]].name);
}

void TableLayout::measure(uint64_t i, std::string_view text) {
  scratch_.clear();
  columns_[i].width = std::max(columns_[i].width, append_printable(scratch_, text));
}

void TableLayout::start() {
  fit();
  for (uint64_t i = 0; i < shown_.size(); ++i) {
    if (display_.colour) sink_.append("\x1b[1m");
    cell(i, headings_[shown_[i]].name);
    if (display_.colour) sink_.append("\x1b[0m");
  }
  end_line();
}

void TableLayout::fit() {
  settle(UINT32_MAX);
  if (!display_.width.has_value()) return;
  const uint32_t shortest = std::min(kShortText, *display_.width);
  settle(shortest);
  while (total() > *display_.width && shown_.size() > 1) drop_middle();
  // The shortened texts share the remaining width.
  uint32_t longest = shortest;
  for (uint32_t step = std::bit_floor(*display_.width); step > 0; step /= 2) {
    settle(longest + step);
    if (total() <= *display_.width) longest += step;
  }
  settle(longest);
}

void TableLayout::settle(uint32_t longest) {
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    const bool whole = headings_[shown_[i]].is_number;
    columns_[i].settled = whole ? columns_[i].width : std::min(columns_[i].width, longest);
  }
}

uint64_t TableLayout::total() const noexcept {
  uint64_t cells = gap_ == UINT64_MAX ? 0 : kGapWidth + kBetween;
  for (const Column& column : columns_) cells += column.settled + kBetween;
  return cells - std::min<uint64_t>(cells, kBetween);
}

void TableLayout::drop_middle() {
  const uint64_t middle = gap_ == UINT64_MAX         ? shown_.size() / 2
                          : 2 * gap_ > shown_.size() ? gap_ - 1
                                                     : std::min(gap_, shown_.size() - 1);
  shown_.erase(shown_.begin() + static_cast<ptrdiff_t>(middle));
  columns_.erase(columns_.begin() + static_cast<ptrdiff_t>(middle));
  gap_ = middle;
}

void TableLayout::pad(uint64_t cells) {
  for (; cells > 0; --cells) sink_.append(' ');
}

void TableLayout::cell(uint64_t i, std::string_view text, bool is_null) {
  pad(owed_);
  if (i == gap_) {
    sink_.append("…");
    pad(kBetween);
  }
  const bool right = headings_[shown_[i]].is_number;
  const uint32_t settled = columns_[i].settled;
  scratch_.clear();
  const uint32_t width =
      append_printable(scratch_, text, display_.width.has_value() && !right ? settled : UINT32_MAX);
  const uint64_t blanks = settled - std::min(settled, width);
  if (right) pad(blanks);
  const bool dim = is_null && display_.colour;
  if (dim) sink_.append("\x1b[2m");
  sink_.append(scratch_.text());
  if (dim) sink_.append("\x1b[0m");
  owed_ = (right ? 0 : blanks) + kBetween;
}

void TableLayout::end_line() {
  if (gap_ == shown_.size()) {
    pad(owed_);
    sink_.append("…");
  }
  sink_.append('\n');
  owed_ = 0;
}

}  // namespace heron::cli
