#include "view/grid.h"

#include <algorithm>

namespace heron::cli {
namespace {

constexpr std::string_view kGap = "  ";
constexpr std::string_view kFrozenGap = " | ";  // gap behind the last frozen column
constexpr uint32_t kMinText = 16;             // minimum width to which texts are cut
constexpr uint32_t kMinPart = 4;              // minimum of a column cut at the margin

uint32_t digit_count(uint64_t number) {
  return static_cast<uint32_t>(std::to_string(number).size());
}

}  // namespace

ViewGrid::ViewGrid(const Schema& schema) {
  for (const Field& field : schema) {
    names_.push_back(safe_text(field.name, ViewPage::kMaxCells));
    are_numbers_.push_back(field.type.is_integer() || field.type.is_float());
  }
}

void ViewGrid::toggle_wide(uint64_t column) {
  if (!wide_.erase(column)) wide_.insert(column);
}

// Returns the width of a column, at most `room` cells.
uint32_t ViewGrid::width(ViewPage& page, uint64_t column, uint32_t room, const Context& context) {
  uint32_t& width = widths_.try_emplace(column, width_of(names_[column])).first->second;
  for (const ViewCell& cell : page.cells(column, context)) width = std::max(width, cell.width);
  const bool may_be_cut = !are_numbers_[column] && !wide_.contains(column);
  const uint32_t max_width = may_be_cut ? std::max(kMinText, room / 5 * 2) : room;
  return std::min({width, max_width, room});
}

// Returns the columns that are shown, from `used` cells on.
std::vector<ViewGrid::Slot> ViewGrid::slots(ViewPage& page, GridPosition& position, uint32_t used,
                                            uint32_t screen, const Context& context) {
  std::vector<Slot> all;
  const auto add = [&](uint64_t column, std::string_view gap) {
    const std::string_view between = used == 0 ? std::string_view() : gap;
    const uint32_t begin = used + static_cast<uint32_t>(between.size());
    if (begin >= screen) return false;
    const uint32_t whole = width(page, column, screen, context);
    const uint32_t fits = std::min(whole, screen - begin);
    if (fits < std::min(whole, kMinPart) && !all.empty()) return false;
    all.push_back({column, fits, std::string(between)});
    used = begin + fits;
    return fits == whole;
  };
  const uint32_t gutter = used;
  uint64_t frozen = position.frozen;
  for (uint64_t column = 0; column < frozen; ++column) {
    if (add(column, kGap) && used + kFrozenGap.size() + kMinText <= screen) continue;
    // Frozen columns that leave no room for others scroll like them.
    all.clear();
    used = gutter;
    frozen = 0;
  }
  position.left = std::max(position.left, frozen);
  if (position.column >= frozen) {
    // Finds the first column from which the cursor's column is whole.
    const size_t gap = frozen > 0 ? kFrozenGap.size() : used > 0 ? kGap.size() : 0;
    uint64_t taken = used + gap + width(page, position.column, screen, context);
    uint64_t first = position.column;
    for (; first > position.left; --first) {
      taken += kGap.size() + width(page, first - 1, screen, context);
      if (taken > screen) break;
    }
    position.left = first;
  }
  for (uint64_t column = position.left; column < columns(); ++column) {
    if (!add(column, column == position.left && frozen > 0 ? kFrozenGap : kGap)) break;
  }
  return all;
}

ScreenLine ViewGrid::heading(const std::vector<Slot>& slots, const GridPosition& position,
                             uint32_t gutter) const {
  ScreenLine line;
  if (gutter > 0) line.push_back({Style::Null, padded_left("row", gutter)});
  for (const Slot& slot : slots) {
    line.push_back({Style::Plain, slot.between});
    const auto pad = are_numbers_[slot.column] ? padded_left : padded_right;
    line.push_back({slot.column == position.column ? Style::CurrentHeading : Style::Heading,
                    pad(names_[slot.column], slot.width)});
  }
  return line;
}

ScreenLine ViewGrid::line(ViewPage& page, uint64_t row, const std::vector<Slot>& slots,
                          const GridPosition& position, uint32_t gutter,
                          const Context& context) const {
  ScreenLine line;
  const bool is_current = row == position.row;
  const Style usual = is_current ? Style::CurrentRow : Style::Plain;
  if (gutter > 0) {
    line.push_back({Style::Null, padded_left(std::to_string(page.rows()[row]), gutter)});
  }
  for (const Slot& slot : slots) {
    const ViewCell& cell = page.cells(slot.column, context)[row];
    Style style = usual;
    if (cell.is_null) style = Style::Null;
    if (cell.is_damaged) style = Style::Damage;
    if (is_current && slot.column == position.column) style = Style::Current;
    line.push_back({usual, slot.between});
    const auto pad = are_numbers_[slot.column] ? padded_left : padded_right;
    line.push_back({style, pad(cell.text, slot.width)});
  }
  return line;
}

std::vector<ScreenLine> ViewGrid::lines(ViewPage& page, GridPosition& position, ScreenSize size,
                                        const Context& context) {
  if (size.height == 0) return {};
  uint32_t gutter = 0;
  if (position.row_numbers && !page.rows().empty()) {
    gutter = std::max(3U, digit_count(*std::ranges::max_element(page.rows())));
    if (gutter + kGap.size() + kMinPart > size.width) gutter = 0;
  }
  std::vector<Slot> shown;
  if (columns() > 0) shown = slots(page, position, gutter, size.width, context);
  std::vector<ScreenLine> all = {heading(shown, position, gutter)};
  for (uint64_t row = 0; row < page.rows().size() && all.size() < size.height; ++row) {
    all.push_back(line(page, row, shown, position, gutter, context));
  }
  return all;
}

}  // namespace heron::cli
