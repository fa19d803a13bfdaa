#include <algorithm>

#include "options.h"
#include "rows.h"
#include "verbs.h"

namespace heron::cli {
namespace {

// At most; exactly where a form tells the number of rows first.
uint64_t rows_to_come(Session& session, const std::optional<Predicate>& where) {
  const bool counted = where && session.request().output == "npy";
  const uint64_t rows = counted ? count(*where, session.context()) : session.table()->rows();
  return std::min(rows, session.request().limit.value_or(UINT64_MAX));
}

void run(Session& session) {
  const Projection columns = session.projection();
  const std::optional<Predicate> where = session.where();
  RowPrinter printer(session, columns, rows_to_come(session, where));
  printer.show(RowRange{0, columns.table()->rows()}, session.request().limit.value_or(UINT64_MAX),
               where);
  printer.finish();
}

}  // namespace

Verb scan_verb() {
  return {"scan",
          "rows, streaming: memory does not grow with the file",
          {{"heron scan data.jay -o csv > data.csv", "as CSV"},
           {"heron scan data.jay -c id,city -o jsonl --limit 1000", "two columns, 1000 rows"},
           {"heron scan data.jay --where \"price > 3.5 and city in ('Oslo', 'Rome')\"",
            "rows for which that is true"}},
          {kFile},
          streaming_options({kWhere, kLimit}),
          run};
}

}  // namespace heron::cli
