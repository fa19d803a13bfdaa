#include <algorithm>

#include "parsing/options.h"
#include "verbs/shared/row_printer.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

void run_head(Session& session) {
  const uint64_t count = session.get<DrawOptions>().count.value_or(10);
  session.read_only_head(std::max<uint64_t>(count, 1));
  const Projection columns = session.projection();
  print_rows(session, columns, RowRange{0, std::min(columns.table()->rows(), count)});
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
