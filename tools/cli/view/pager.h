// The pager: the effect of each key, and the screen that it then shows. It does not access a
// terminal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heron/context.h"
#include "heron/expression.h"
#include "heron/query.h"
#include "heron/table.h"
#include "heron/text.h"
#include "view/grid.h"
#include "view/keys.h"
#include "view/line_edit.h"
#include "view/page.h"
#include "view/screen.h"
#include "view/shown_rows.h"

namespace heron::cli {

// Runs a task that reads the file to its end; `what` describes it: "sorting". The task's Context
// has progress and can be cancelled. Throws what the task throws.
using ViewTask = std::function<void(const Context&)>;
using RunViewTask = std::function<void(std::string_view what, const ViewTask& task)>;

struct PagerOptions {
  std::string title;  // title of the file
  Projection columns;
  std::optional<Predicate> where = {};
  std::vector<OrderBy> order = {};
  ValueForm form = {};
  bool row_numbers = false;
  SkippedRows* skipped = nullptr;  // counts damaged rows that are left out; null: they are errors
};

// One thread at a time; while a task runs, only the task uses the pager. Errors of predicates and
// of reading become messages; other exceptions are passed on.
class Pager {
 public:
  // Reads nothing.
  Pager(PagerOptions options, RunViewTask run);

  // Does what the key means. Returns false if it ends the view.
  bool press(const Key& key, ScreenSize size);
  // Returns the screen. Reads the rows that are shown, if they have changed.
  Screen screen(ScreenSize size);

 private:
  enum class Prompt : uint8_t { None, Row, Column, Search, Where };

  // Returns how many rows fit between the headings and the last line.
  static uint32_t rows_of(ScreenSize size);
  bool browse(const Key& key);
  bool move(const Key& key, uint64_t count);
  bool change(const Key& key);
  void type(const Key& key);
  void open_prompt(Prompt prompt, std::string text = {});
  void answer(Prompt prompt, const std::string& text);
  void go_to_row(uint64_t row);
  void go_to_column(std::string_view name);
  void go_to(uint64_t position);
  void search(bool forward);
  void filter(const std::string& text);
  void sort(Direction direction);
  void show_others(std::optional<Predicate> where, std::vector<OrderBy> order);
  std::optional<uint64_t> current_row();
  void settle(const Context& context);
  void draw_rows(ScreenSize size);
  void report_damage();
  ScreenLine status(uint32_t width) const;
  std::vector<ScreenLine> bottom(ScreenSize size) const;
  Screen help(ScreenSize size) const;
  Screen prompt(Screen screen, uint32_t width) const;
  Predicate predicate(const std::string& text);
  Query query(const std::optional<Predicate>& where, const std::vector<OrderBy>& order) const;

  const PagerOptions options_;
  const RunViewTask run_;
  const std::shared_ptr<const Table> table_;
  ViewGrid grid_;
  ViewPage page_;
  std::optional<Predicate> where_;
  std::vector<OrderBy> order_;
  std::unique_ptr<ShownRows> rows_;
  uint64_t top_ = 0, row_ = 0;  // positions of the first row shown and of the cursor
  GridPosition position_;
  uint32_t page_rows_ = 1;  // rows that fit on the screen
  ScreenSize size_;
  std::vector<ScreenLine> drawn_;  // the headings and rows
  std::optional<uint64_t> stopped_at_;  // Escape stopped the search for this many positions
  std::string digits_;                  // digits typed before a key
  Prompt prompt_ = Prompt::None;
  LineEdit typed_;
  std::optional<Predicate> search_;
  std::string message_;
  bool reported_damage_ = false;
  std::optional<uint64_t> help_top_;  // first line of the help while it is shown
};

}  // namespace heron::cli
