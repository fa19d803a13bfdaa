#include <algorithm>

#include "options.h"
#include "rows.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_head(Session& session) {
  const Projection columns = session.projection();
  const uint64_t rows = columns.table()->rows();
  print_rows(session, columns,
             RowRange{0, std::min(rows, session.get<DrawOptions>().count.value_or(10))});
}

}  // namespace

Verb head_verb() {
  return {"head",
          "the first rows",
          {{"heron head data.jay", "the first ten"},
           {"heron head data.jay -n 3 -o jsonl", "three, as JSON lines"}},
          {kFile},
          row_options({kCount}),
          run_head};
}

}  // namespace heron::cli
