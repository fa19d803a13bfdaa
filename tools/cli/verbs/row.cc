#include <vector>

#include "arguments.h"
#include "options.h"
#include "rows.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_row(Session& session) {
  std::vector<uint64_t> rows;
  for (const std::string& row : session.arguments(1)) {
    rows.push_back(parse_number("a row number", row));
  }
  print_rows(session, session.projection(), rows);
}

}  // namespace

Verb row_verb() {
  return {"row",
          "rows by number, counted from 0",
          {{"heron row data.jay 123456", "one row"},
           {"heron row data.jay 9 0 9 -o json", "in any order, repeats allowed"}},
          {kFile, {"ROW", "a row number", Argument::Kind::Word, true, true}},
          row_options({}),
          run_row};
}

}  // namespace heron::cli
