#include "verbs/shared/row_printer.h"

#include <vector>

#include "base/fail.h"
#include "heron/error.h"
#include "parsing/arguments.h"
#include "parsing/options.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct RowsVerbOptions {
  std::string at;
  std::string at_file;
};
constexpr Option kAt{.names = "--at",
                     .value = "5,2,9",
                     .what = "print the rows with these numbers",
                     .read = into<&RowsVerbOptions::at>,
                     .kind = Kind::Row,
                     .elsewhere = "--rows --indices --index --row --ids --numbers"};
constexpr Option kAtFile{
    .names = "--at-file",
    .value = "F",
    .what = "print the rows whose numbers this file has, one a line; - is stdin",
    .read = into<&RowsVerbOptions::at_file>,
    .kind = Kind::File,
    .elsewhere = "--index-file --rows-file --from-file --row-file"};

// Returns the numbers of `row`, which has an argument for each, or of `rows`, which has them in a
// list.
std::vector<uint64_t> requested_numbers(const Session& session) {
  if (session.argument_count() > 1) {
    std::vector<uint64_t> rows;
    for (const std::string& row : session.arguments(1)) {
      rows.push_back(parse_row("ROW", row));
    }
    return rows;
  }
  const auto& requested = session.get<RowsVerbOptions>();
  if (requested.at.empty() == requested.at_file.empty()) {
    fail(ErrorKind::Argument, {}, "rows: expected either --at or --at-file");
  }
  return requested.at.empty() ? read_row_list(requested.at_file) : parse_row_list(requested.at);
}

void run_rows(Session& session) {
  print_rows(session, session.projection(), requested_numbers(session));
}

}  // namespace

Verb row_verb() {
  return {"row",
          "print rows by number",
          {{"heron row data.jay 123456", "one row"},
           {"heron row data.jay 9 0 9 -o json", "in any order, repeats allowed"}},
          {kFile, {"ROW", "the number of a row, counted from 0", Kind::Row, true, true}},
          row_options({}),
          run_rows,
          {},
          {{"get fetch at nth iloc", "to print a row by number", "heron row FILE 7"}}};
}

Verb rows_verb() {
  return {"rows",
          "print rows by a list of numbers",
          {{"heron rows data.jay --at 5,2,9", "three rows in this order"},
           {"shuf -i 0-999 -n 20 | heron rows data.jay --at-file -", "numbers from a program"}},
          {kFile},
          row_options({kAt, kAtFile}),
          run_rows,
          {},
          {{"take", "to print rows by number", "heron rows FILE --at 5,2,9"}}};
}

}  // namespace heron::cli
