#include <algorithm>

#include "parsing/options.h"
#include "verbs/shared/row_printer.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

void run_tail(Session& session) {
  const Projection columns = session.projection();
  const uint64_t rows = columns.table()->rows();
  const uint64_t count = std::min(rows, session.get<DrawOptions>().count.value_or(10));
  print_rows(session, columns, RowRange{rows - count, rows});
}

}  // namespace

Verb tail_verb() {
  return {"tail",
          "print the last rows",
          {{"heron tail data.jay", "the last ten rows"},
           {"heron tail data.jay -n 1 --row-number", "the last row, with its number"}},
          {kFile},
          row_options({kCount}),
          run_tail,
          {},
          {{"last bottom", "to print the last rows", "heron tail FILE -n 10"}}};
}

}  // namespace heron::cli
