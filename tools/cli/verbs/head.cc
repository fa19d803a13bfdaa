#include <algorithm>

#include "options.h"
#include "rows.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_head(Session& session) {
  const uint64_t wanted = session.get<DrawOptions>().count.value_or(10);
  session.read_only_head(std::max<uint64_t>(wanted, 1));
  const Projection columns = session.projection();
  print_rows(session, columns, RowRange{0, std::min(columns.table()->rows(), wanted)});
}

}  // namespace

Verb head_verb() {
  return {"head",
          "print the first rows",
          {{"heron head data.jay", "the first ten rows"},
           {"heron head data.jay -n 3 -o jsonl", "three rows, as JSON lines"}},
          {kFile},
          row_options({kCount}),
          run_head,
          {},
          {{"top first limit peek preview", "to print the first rows", "heron head FILE -n 10"}}};
}

}  // namespace heron::cli
