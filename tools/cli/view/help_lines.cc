#include "view/help_lines.h"

namespace heron::cli {
namespace {

constexpr std::string_view kViewHelp[] = {
    "Up k  Down j  Left h  Right l    move; with a number before it, as far: 20j",
    "PgUp b  PgDn Space               a page up, down; Ctrl-U, Ctrl-D half of one",
    "Home g  End G                    the first, the last row",
    "0 ^  $                           the first, the last column",
    ":N  NG                           row number N of the table",
    "c NAME                           the column with this in its name",
    "/ PREDICATE                      the next row that passes: /price > 3",
    "n  N                             the next, the previous such row",
    "& PREDICATE                      show only rows that pass; empty: all rows",
    "s  S                             sort by the column, ascending, descending; again: off",
    "f                                freeze the columns left of the cursor; again: none",
    "w                                the column as wide as its values; again: not",
    "#                                row numbers, or none",
    "Escape Ctrl-C                    cancel a search, a sort, what is typed",
    "Ctrl-L                           draw the screen again",
    "?                                these keys",
    "q Ctrl-C                         end",
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
