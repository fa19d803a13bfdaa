// Draws the screen of the pager.
#include <algorithm>
#include <span>

#include "base/fail.h"
#include "help/hints.h"
#include "heron/error.h"
#include "output/printable.h"
#include "view/clamped.h"
#include "view/help_lines.h"
#include "view/pager.h"

namespace heron::cli {
namespace {

std::string text_of_order(const std::vector<OrderBy>& order) {
  std::string text;
  for (const OrderBy& by : order) {
    text += concat(text.empty() ? "" : ", ", by.column,
                   by.direction == Descending ? ":desc" : "");
  }
  return text;
}

}  // namespace

void Pager::draw_rows(ScreenSize size) {
  if (size != size_) grid_.reset();
  size_ = size;
  page_rows_ = rows_of(size);
  const uint64_t top = top_, row = row_;
  const GridPosition position = position_;
  try {
    run_("reading", [&](const Context& context) {
      settle(context);
      const auto height = static_cast<uint32_t>(minus(size.height, 1));
      drawn_ = grid_.lines(page_, position_, {size.width, height}, context);
    });
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) {
      message_ = "cancelled";
      top_ = std::min(top, minus(rows_->known(), 1));
      row_ = std::min(row, minus(rows_->known(), 1));
      position_ = position;
    } else {
      message_ = concat(error.message(), hint_text(error.hint()));
    }
    drawn_.resize(std::min<size_t>(drawn_.size(), minus(size.height, 1)));
  }
}

// Reports damage once: the status continues to mention it.
void Pager::report_damage() {
  if (options_.skipped == nullptr || reported_damage_ || options_.skipped->rows() == 0) return;
  reported_damage_ = true;
  message_ = concat("damaged rows are left out: ", options_.skipped->damage());
}

Screen Pager::screen(ScreenSize size) {
  if (help_top_) return help(size);
  if (size.height == 0) return {};
  draw_rows(size);
  report_damage();
  Screen screen{drawn_};
  const std::vector<ScreenLine> lines = bottom(size);
  screen.lines.resize(size.height);
  std::ranges::copy(lines, screen.lines.end() - static_cast<ptrdiff_t>(lines.size()));
  return prompt_ == Prompt::None ? screen : prompt(std::move(screen), size.width);
}

// Returns a message, the error of the cells that are shown, or the status.
std::vector<ScreenLine> Pager::bottom(ScreenSize size) const {
  constexpr size_t kMaxLines = 4;
  if (message_.empty()) {
    if (page_.error().empty()) return {status(size.width)};
    return {{{Style::Status, padded_right(page_.error(), size.width)}}};
  }
  std::vector<ScreenLine> lines;
  const std::string text = safe_text(message_);
  const size_t max_lines = std::min<size_t>(kMaxLines, size.height);
  for (std::string_view rest = text; !rest.empty() && lines.size() < max_lines;) {
    const bool is_last = lines.size() + 1 == max_lines;
    const size_t bytes = is_last ? rest.size() : bytes_of_cells(rest, size.width);
    lines.push_back({{Style::Status, padded_right(rest.substr(0, bytes), size.width)}});
    rest.remove_prefix(bytes);
  }
  return lines;
}

ScreenLine Pager::status(uint32_t width) const {
  std::string text = concat(options_.title, "  ");
  const uint64_t shown = page_.rows().size();
  if (rows_->known() == 0) {
    text += rows_->is_complete() ? "no rows" : "no row found yet";
  } else {
    text += concat("rows ", top_, "-", top_ + minus(shown, 1), " of ", rows_->known());
  }
  if (!rows_->is_complete()) {
    text += concat(" in the first ", rows_->tested_rows(), " of ", table_->rows());
  }
  if (where_) text += concat("  where ", where_->text());
  if (!order_.empty()) text += concat("  order ", text_of_order(order_));
  if (grid_.columns() > 0) {
    const Field& field = (*options_.columns.schema())[position_.column];
    text += concat("  column ", position_.column + 1, " of ", grid_.columns(), ": ", field.name,
                   " ", field.type.name());
  }
  if (reported_damage_) text += "  without damaged rows";
  if (!digits_.empty()) text += concat("  ", digits_);
  constexpr std::string_view kHelp = "  ? keys";
  if (width_of(text) + kHelp.size() <= width) text += kHelp;
  return {{Style::Status, padded_right(text, width)}};
}

Screen Pager::prompt(Screen screen, uint32_t width) const {
  std::string_view sign = ":";
  if (prompt_ == Prompt::Column) sign = "column ";
  if (prompt_ == Prompt::Search) sign = "/";
  if (prompt_ == Prompt::Where) sign = "&";
  // A long line is shown up to the cursor.
  std::string_view text = typed_.text();
  std::string_view before = typed_.before_cursor();
  while (!before.empty() && sign.size() + width_of(before) + 1 > width) {
    const size_t bytes = std::max<size_t>(1, bytes_of_cells(before, 1));
    before.remove_prefix(bytes);
    text.remove_prefix(bytes);
  }
  const std::string line = concat(sign, text);
  screen.cursor = static_cast<uint32_t>(
      std::min(sign.size() + width_of(before), static_cast<size_t>(minus(width, 1))));
  screen.lines.back() = {{Style::Plain, padded_right(line, width)}};
  return screen;
}

Screen Pager::help(ScreenSize size) const {
  Screen screen;
  const std::span<const std::string_view> lines = view_help_lines();
  const uint64_t room = minus(size.height, 1);
  const uint64_t first = std::min(*help_top_, minus(lines.size(), room));
  for (uint64_t i = first; i < lines.size() && screen.lines.size() < room; ++i) {
    screen.lines.push_back({{Style::Plain, safe_text(lines[i], size.width)}});
  }
  screen.lines.resize(room);
  screen.lines.push_back(
      {{Style::Status, padded_right("Up and Down scroll; any other key goes back", size.width)}});
  return screen;
}

}  // namespace heron::cli
