#include "arguments.h"
#include "options.h"
#include "rows.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_slice(Session& session) {
  const Projection columns = session.projection();
  print_rows(session, columns, parse_range(session.argument(1), columns.table()->rows()));
}

}  // namespace

Verb slice_verb() {
  return {"slice",
          "rows A up to B, B not included",
          {{"heron slice data.jay 1000:1010", "ten rows"},
           {"heron slice data.jay 1000: -o csv", "row 1000 and all behind it"}},
          {kFile, {"A:B", "either may be left out; cut to the rows there are"}},
          row_options({}),
          run_slice};
}

}  // namespace heron::cli
