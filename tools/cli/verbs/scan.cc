#include <algorithm>

#include "options.h"
#include "rows.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run(Session& session) {
  const Projection columns = session.projection();
  const uint64_t rows = columns.table()->rows();
  const uint64_t limit = session.request().limit.value_or(UINT64_MAX);
  RowPrinter printer(session, columns, std::min(rows, limit));
  printer.show(RowRange{0, rows}, limit);
  printer.finish();
}

}  // namespace

Verb scan_verb() {
  return {"scan",
          "all rows, streaming: memory does not grow with the file",
          {{"heron scan data.jay -o csv > data.csv", "as CSV"},
           {"heron scan 'part-*.jay' -o csv", "all rows of many files"},
           {"heron scan data.jay -c id,city -o jsonl --limit 1000", "two columns, 1000 rows"}},
          {kFile},
          streaming_options({kLimit}),
          run};
}

}  // namespace heron::cli
