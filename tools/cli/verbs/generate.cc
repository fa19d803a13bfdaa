#include <fmt/core.h>

#include "generate/generate.h"
#include "generate/preset.h"
#include "heron/error.h"
#include "options.h"
#include "session.h"
#include "verbs.h"
#include "writing.h"

namespace heron::cli {
namespace {

void run(Session& session) {
  const Request& request = session.request();
  if (!request.count.has_value()) fail(ErrorKind::Argument, {}, "generate: --rows is missing");
  generate::Order order;
  order.path = session.argument(0);
  order.rows = *request.count;
  if (!request.preset.empty()) order.preset = request.preset;
  order.seed = request.seed.value_or(order.seed);
  order.features = request.features;
  order.options = write_options(request);
  const generate::Outcome outcome = generate::generate(order, session.context());
  session.note(fmt::format("{} rows, {} bytes, {:.2f} s without the sync, {:.0f} MB/s", order.rows,
                           outcome.bytes, outcome.seconds,
                           static_cast<double>(outcome.bytes) / 1e6 / outcome.seconds));
}

}  // namespace

Verb generate_verb() {
  return {
      "generate",
      "write a file of made-up rows, the same for the same seed",
      {{"heron generate big.jay --rows 5000000", "five million rows of ten columns"},
       {"heron generate other.jay --rows 1000 --seed 7", "other rows"},
       {"heron generate points.balsa --rows 1000 --preset features --order big",
        "20 float32 columns, big-endian"},
       {"heron generate blocks.idv --rows 1000000 --preset blocks --compression 0",
        "blocks that are read where they lie"}},
      {{"OUT", "the file to write; its ending tells the format", Argument::Kind::File}},
      {{"--rows", "N", "how many rows", &Request::count},
       {"--preset", "NAME", "what they hold (default: peers)", &Request::preset,
        generate::kPresets},
       {"--features", "N", "how many features (default: 20; of ranking 50)", &Request::features},
       kOrder,
       kBlockRows,
       kCompression,
       {"--seed", "S", "the same seed gives the same rows (default: 0)", &Request::seed},
       kThreads,
       kQuiet,
       kHelp},
      run};
}

}  // namespace heron::cli
