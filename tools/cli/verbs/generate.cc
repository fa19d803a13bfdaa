#include <fmt/core.h>

#include "generate/preset.h"
#include "generate/rows.h"
#include "heron/convert.h"
#include "heron/error.h"
#include "options.h"
#include "session.h"
#include "verbs.h"
#include "writing.h"

namespace heron::cli {
namespace {

void run_generate(Session& session) {
  const Request& request = session.request();
  if (!request.count.has_value()) fail(ErrorKind::Argument, {}, "generate needs --rows");
  generate::Order order;
  order.rows = *request.count;
  if (!request.preset.empty()) order.preset = request.preset;
  order.seed = request.seed.value_or(order.seed);
  order.features = request.features;
  ConvertOptions options;
  options.write = write_options(request, session.argument(0));
  options.foresee_rounding = false;  // not needed for generated values
  options.cast = request.cast;
  options.drop_unsupported = request.drop_unsupported;
  const ConvertReport report =
      convert(generate::made_up_rows(order), session.argument(0), options, session.context());
  tell_written(session, report);
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
       {"heron generate points.bin --rows 1000 --preset features --target c0",
        "the same rows, c0 of which is to be learnt"},
       {"heron generate blocks.idv --rows 1000000 --preset blocks --compression 0",
        "blocks that are read where they lie"},
       {"heron generate numbers.balsa --rows 1000 --cast --drop-unsupported",
        "of the ten columns those that fit"}},
      {{"OUT", "the file to write; its ending tells the format, in a container or not: .jay.tz",
        Argument::Kind::File}},
      {{"--rows", "N", "how many rows", &Request::count},
       {"--preset", "NAME", "what they hold (default: peers)", &Request::preset,
        generate::kPresets},
       {"--features", "N", "how many features (default: 20; of ranking 50)", &Request::features},
       kForce,
       kOrder,
       kBlockRows,
       kCompression,
       kTarget,
       kQuery,
       kCast,
       kDropUnsupported,
       {"--seed", "S", "the same seed gives the same rows (default: 0)", &Request::seed},
       kThreads,
       kQuiet,
       kVerbose,
       kHelp},
      run_generate};
}

}  // namespace heron::cli
