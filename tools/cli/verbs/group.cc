#include "parsing/arguments.h"

#include "parsing/options.h"
#include "verbs/shared/drawn_rows.h"
#include "verbs/shared/row_printer.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

void run_group(Session& session) {
  const uint64_t index = parse_number("Q", session.argument(1));
  const Projection columns = session.projection();
  require_groups(*columns.table());
  print_rows(session, columns, columns.table()->group(index));
}

}  // namespace

Verb group_verb() {
  return {"group",
          "print one group of rows that belong together, such as all documents of a query",
          {{"heron group letor.bin 0", "the first query"},
           {"heron group letor.bin 7 -c target,bm25 -o csv", "two columns of the eighth query"}},
          {kFile, {"Q", "the group's number, counted from 0; heron info prints how many exist"}},
          row_options({}),
          run_group};
}

}  // namespace heron::cli
