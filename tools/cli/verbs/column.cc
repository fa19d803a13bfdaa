#include <array>

#include "parsing/arguments.h"
#include "parsing/options.h"
#include "verbs/shared/row_printer.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

void run_column(Session& session) {
  const std::array names = {parse_name(session.argument(1))};
  const Projection column(session.table(), names);
  const std::string& rows = session.get<RangeOptions>().rows;
  if (rows.empty()) return print_all_rows(session, column);
  print_rows(session, column, parse_range(rows, column.table()->rows()));
}

std::vector<Option> column_verb_options() {
  std::vector<Option> all = row_options({kRows});
  std::erase_if(all, [](const Option& option) { return option.names == kColumns.names; });
  return all;
}

}  // namespace

Verb column_verb() {
  return {"column",
          "print the values of one column",
          {{"heron column data.jay price", "all values of `price`"},
           {"heron column data.jay price --rows 0:1000 -o npy --to price.npy",
            "a thousand of them, for NumPy"}},
          {kFile,
           {"NAME", "the column's name, which may be in backticks", Kind::Column}},
          column_verb_options(),
          run_column,
          {},
          {{"cut col field", "to print a column", "heron column FILE NAME"}}};
}

}  // namespace heron::cli
