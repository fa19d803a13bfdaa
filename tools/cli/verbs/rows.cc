#include "rows.h"

#include "arguments.h"
#include "heron/error.h"
#include "options.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_rows(Session& session) {
  const Request& request = session.request();
  if (request.at.empty() == request.at_file.empty()) {
    fail(ErrorKind::Argument, {}, "rows: expected either --at or --at-file");
  }
  const std::vector<uint64_t> rows =
      request.at.empty() ? read_row_list(request.at_file) : parse_row_list(request.at);
  print_rows(session, session.projection(), rows);
}

}  // namespace

Verb rows_verb() {
  return {"rows",
          "rows by a list of numbers",
          {{"heron rows data.jay --at 5,2,9", "three rows in this order"},
           {"shuf -i 0-999 -n 20 | heron rows data.jay --at-file -", "numbers from a program"}},
          {kFile},
          row_options({kAt, kAtFile}),
          run_rows};
}

}  // namespace heron::cli
