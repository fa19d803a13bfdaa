#include <algorithm>
#include <random>
#include <vector>

#include "heron/error.h"
#include "heron/sampler.h"
#include "options.h"
#include "rows.h"
#include "verbs.h"

namespace heron::cli {
namespace {

uint64_t seed(Session& session) {
  if (session.request().seed.has_value()) return *session.request().seed;
  std::random_device random;
  const uint64_t drawn = uint64_t{random()} << 32 | random();
  session.note(concat("seed ", drawn));
  return drawn;
}

void run(Session& session) {
  const Request& request = session.request();
  if (!request.count.has_value()) fail(ErrorKind::Argument, {}, "sample: -n is missing");
  const uint64_t count = *request.count;
  const Projection columns = session.projection();
  const uint64_t rows = columns.table()->rows();
  if (count > rows && !request.replace) {
    fail(ErrorKind::Argument, {}, "sample: -n ", count, " is more than the ", rows,
         " rows there are, and --replace was not given");
  }
  RowPrinter printer(session, columns, count);
  if (count > 0) {
    SamplerOptions options;
    options.seed = seed(session);
    options.replace = request.replace;
    const Sampler sampler(rows, options);
    std::vector<uint64_t> drawn;
    for (uint64_t done = 0; done < count; done += drawn.size()) {
      drawn.resize(std::min(count - done, printer.batch_rows()));
      sampler.draw(done, drawn);
      printer.show(drawn);
    }
  }
  printer.finish();
}

}  // namespace

Verb sample_verb() {
  return {"sample",
          "random rows, the same for the same seed",
          {{"heron sample data.jay -n 256 --seed 7", "256 different rows"},
           {"heron sample data.jay -n 10 --replace -o jsonl", "each drawn from all"}},
          {kFile},
          row_options({kSampleCount, kSeed, kReplace}),
          run};
}

}  // namespace heron::cli
