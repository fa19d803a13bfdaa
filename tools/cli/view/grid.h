// Lays out the columns of a page side by side: their widths, which of them fit on the screen, and
// the lines of the screen.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "heron/context.h"
#include "heron/schema.h"
#include "view/page.h"
#include "view/screen.h"

namespace heron::cli {

// The columns that a view shows, and the position of the cursor.
struct GridPosition {
  uint64_t row = 0;     // index in the rows of the page
  uint64_t column = 0;  // index in the projection
  uint64_t frozen = 0;  // how many columns at the left stay
  uint64_t left = 0;    // first shown column that is not frozen
  bool row_numbers = false;
};

// Widths follow the rows that were shown: a column grows and does not shrink, so that columns do
// not move while rows scroll. Numbers are whole if the screen is wide enough; other columns take at
// most two fifths of it, unless they are made wide.
class ViewGrid {
 public:
  explicit ViewGrid(const Schema& schema);

  // Returns the headings and a line for each row of the page, within the size. Moves
  // `position.left` as far as it takes to show the column with the cursor. Reads the columns that
  // are shown, and throws what ViewPage::cells() throws.
  std::vector<ScreenLine> lines(ViewPage& page, GridPosition& position, ScreenSize size,
                                const Context& context);
  // Toggles whether the column may take the whole screen.
  void toggle_wide(uint64_t column);
  // Forgets the widths.
  void reset() noexcept { widths_.clear(); }

  uint64_t columns() const noexcept { return names_.size(); }
  const std::string& name(uint64_t column) const { return names_[column]; }

 private:
  struct Slot {
    uint64_t column;
    uint32_t width;       // shown width in cells
    std::string between;  // text before the column
  };

  uint32_t width(ViewPage& page, uint64_t column, uint32_t room, const Context& context);
  std::vector<Slot> slots(ViewPage& page, GridPosition& position, uint32_t used, uint32_t screen,
                          const Context& context);
  ScreenLine heading(const std::vector<Slot>& slots, const GridPosition& position,
                     uint32_t gutter) const;
  ScreenLine line(ViewPage& page, uint64_t row, const std::vector<Slot>& slots,
                  const GridPosition& position, uint32_t gutter, const Context& context) const;

  std::vector<std::string> names_;  // safe for a terminal
  std::vector<bool> are_numbers_;
  std::map<uint64_t, uint32_t> widths_;
  std::set<uint64_t> wide_;
};

}  // namespace heron::cli
