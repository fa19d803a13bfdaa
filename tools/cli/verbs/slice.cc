#include "parsing/arguments.h"
#include "parsing/options.h"
#include "verbs/shared/row_printer.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

void run_slice(Session& session) {
  const Projection columns = session.projection();
  print_rows(session, columns, parse_range(session.argument(1), columns.table()->rows()));
}

}  // namespace

Verb slice_verb() {
  return {"slice",
          "print rows A up to B, B not included",
          {{"heron slice data.jay 1000:1010", "ten rows"},
           {"heron slice data.jay 1000: -o csv", "row 1000 and all rows behind it"}},
          {kFile,
           {"A:B", "two row numbers, counted from 0; A is the first row and B the end if left out",
            Kind::Rows}},
          row_options({}),
          run_slice,
          {},
          {{"range between", "to print a range of rows", "heron slice FILE 0:10"}}};
}

}  // namespace heron::cli
