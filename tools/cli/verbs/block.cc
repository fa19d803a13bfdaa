#include "parsing/arguments.h"
#include "parsing/options.h"
#include "verbs/shared/row_printer.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

void run_block(Session& session) {
  const Projection columns = session.projection();
  const uint64_t index = parse_number("K", session.argument(1));
  print_rows(session, columns, columns.block(index));
}

}  // namespace

Verb block_verb() {
  return {"block",
          "print one block of rows",
          {{"heron block data.jay 0 -o csv", "the first block"}},
          {kFile, {"K", "the block's number, counted from 0; heron info prints how many exist"}},
          row_options({}),
          run_block,
          "The blocks are those of the first column. A format without blocks is read in blocks of "
          "65,536 rows.\n"};
}

}  // namespace heron::cli
