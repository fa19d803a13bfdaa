#include "arguments.h"
#include "options.h"
#include "rows.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_block(Session& session) {
  const Projection columns = session.projection();
  const uint64_t index = parse_number("a block's number", session.argument(1));
  print_rows(session, columns, columns.block(index));
}

}  // namespace

Verb block_verb() {
  return {"block",
          "one block of rows, as the first column has them (65,536 rows where there are none)",
          {{"heron block data.jay 0 -o csv", "the first block"}},
          {kFile, {"K", "the block's number, counted from 0; info says how many there are"}},
          row_options({}),
          run_block};
}

}  // namespace heron::cli
