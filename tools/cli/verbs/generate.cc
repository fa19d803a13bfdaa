#include <fmt/core.h>

#include "base/fail.h"
#include "generate/preset.h"
#include "generate/rows.h"
#include "heron/convert.h"
#include "heron/error.h"
#include "parsing/format_flags.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/shared/writing.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct GenerateVerbOptions {
  std::optional<uint64_t> rows;
  std::string preset;
  std::optional<uint64_t> features;
  std::optional<uint64_t> seed;
};

void run_generate(Session& session) {
  const auto& requested = session.get<GenerateVerbOptions>();
  if (!requested.rows.has_value()) fail(ErrorKind::Argument, {}, "generate needs --rows");
  generate::Order order;
  order.rows = *requested.rows;
  if (!requested.preset.empty()) order.preset = requested.preset;
  order.seed = requested.seed.value_or(order.seed);
  order.features = requested.features;
  ConvertOptions options = convert_options(session, session.argument(0));
  options.foresee_rounding = false;  // made-up values may be rounded
  const ConvertReport report =
      convert(generate::made_up_rows(order), session.argument(0), options, session.context());
  report_written(session, report);
}

std::vector<Option> generate_verb_options() {
  std::vector<Option> all = {{.names = "--rows",
    .value = "N",
    .what = "write N rows",
    .read = into<&GenerateVerbOptions::rows>,
    .elsewhere = "-n --count --size --num-rows"},
   {.names = "--preset",
    .value = "NAME",
    .what = "write rows of this kind (default: peers)",
    .read = into<&GenerateVerbOptions::preset>,
    .choices = generate::kPresets,
    .elsewhere = "--kind --profile"},
   {.names = "--features",
    .value = "N",
    .what = "write N features (default: 20; of ranking: 50)",
    .read = into<&GenerateVerbOptions::features>,
    .elsewhere = "--columns --cols"},
   kForce,
   kCast,
   kDropUnsupported,
   {.names = "--seed",
    .value = "S",
    .what = "write the same rows for the same seed (default: 0)",
    .read = into<&GenerateVerbOptions::seed>,
    .elsewhere = "--random-seed --random-state"}};
  const std::vector<Option>& of_formats = format_flags(FormatOption::Use::Write);
  all.insert(all.end(), of_formats.begin(), of_formats.end());
  all.insert(all.end(), {kThreads, kQuiet, kVerbose, kHelp});
  return all;
}

}  // namespace

Verb generate_verb() {
  return {"generate",
          "write a file of made-up rows, the same rows for the same seed",
          {{"heron generate big.jay --rows 5000000", "five million rows of ten columns"},
           {"heron generate other.jay --rows 1000 --seed 7", "other rows"},
           {"heron generate points.balsa --rows 1000 --preset features --order big",
            "20 float32 columns, big-endian"},
           {"heron generate points.bin --rows 1000 --preset features --target c0",
            "the same rows, of which c0 is to be learnt"},
           {"heron generate blocks.idv --rows 1000000 --preset blocks --compression 0",
            "blocks that are read without being unpacked"},
           {"heron generate numbers.balsa --rows 1000 --cast --drop-unsupported",
            "those of the ten columns that fit"}},
          {{"OUT", "the file to write; its ending names the format, in a container or not: .jay.tz",
            Kind::File, true, false, {}, "-o --output --out --to"}},
          generate_verb_options(),
          run_generate,
          {},
          {{"gen make create synth", "to write made-up rows",
            "heron generate OUT --rows 1000"}}};
}

}  // namespace heron::cli
