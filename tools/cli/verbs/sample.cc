#include <algorithm>
#include <vector>

#include "parsing/options.h"
#include "verbs/shared/drawn_rows.h"
#include "verbs/shared/row_printer.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

constexpr Option kShuffle{
    .names = "--shuffle",
    .value = "UNIT",
    .what = "shuffle rows; or blocks, whose rows stay near each other and are read faster; or "
            "whole groups, of which -n is the number (default: rows)",
    .read = into<&OrderOptions::shuffle>,
    .choices = "rows blocks groups",
    .elsewhere = "--order --shuffle-by"};
constexpr Option kLocality{
    .names = "--locality",
    .value = "K",
    .what = "mix the rows of K blocks at a time, with --shuffle blocks (default: 1)",
    .read = into<&OrderOptions::locality>,
    .min = 1};

void run_sample(Session& session) {
  constexpr uint64_t kAtOnce = 8192;
  const Projection columns = session.projection();
  const DrawnRows drawn(session, columns, session.where());
  RowPrinter printer(session, columns, drawn.count());
  std::vector<uint64_t> rows;
  for (uint64_t done = 0; done < drawn.count(); done += rows.size()) {
    session.context().check_cancelled();
    rows.resize(std::min(drawn.count() - done, kAtOnce));
    drawn.draw(done, rows);
    printer.show(rows);
  }
  printer.finish();
}

}  // namespace

Verb sample_verb() {
  return {"sample",
          "print random rows, the same rows for the same seed",
          {{"heron sample data.jay -n 256 --seed 7", "256 different rows"},
           {"heron sample data.jay -n 10 --replace -o jsonl", "each row drawn from all rows"},
           {"heron sample letor.bin -n 20 --by-group", "all rows of 20 queries"},
           {"heron sample data.idv -n 256 --shuffle blocks --locality 8", "8 blocks, mixed"},
           {"heron sample data.jay -n 256 --where \"price > 3.5\"", "of the rows that match"}},
          {kFile},
          row_options({kSampleCount, kSeed, kReplace, kByGroup, kShuffle, kLocality, kWhere,
                       kParameter}),
          run_sample,
          {},
          {{"shuf shuffle random draw", "to draw random rows", "heron sample FILE -n 10"}}};
}

}  // namespace heron::cli
