#include "view/help_lines.h"

namespace heron::cli {
namespace {

constexpr std::string_view kViewHelp[] = {
    "Up k, Down j        a row up, down; 20j: twenty rows down",
    "Left h, Right l     a column to the left, to the right",
    "PgUp b, PgDn Space  a page up, down; Ctrl-U, Ctrl-D: half a page",
    "Home g, End G       the first, the last row",
    "0 ^, $              the first, the last column",
    ":N, NG              row number N of the table",
    "c NAME              the next column with this in its name",
    "/ PREDICATE         the next row that passes: /price > 3",
    "n, N                the next, the previous such row",
    "& PREDICATE         only rows that pass; empty: all rows",
    "s, S                sort by the column, ascending, descending; again: off",
    "f                   freeze the columns left of the cursor; again: off",
    "w                   the column as wide as its values; again: off",
    "#                   the rows' numbers; again: off",
    "Escape, Ctrl-C      cancel a search, a sort, a line that is typed",
    "Ctrl-L, Ctrl-Z      draw the screen again, suspend",
    "?                   these keys",
    "q, Ctrl-C           end",
};

}  // namespace

std::span<const std::string_view> view_help_lines() {
  return kViewHelp;
}

std::string view_help_text() {
  std::string text = "Keys:\n";
  for (const std::string_view line : kViewHelp) text.append("  ").append(line).append("\n");
  return text;
}

}  // namespace heron::cli
