#include <algorithm>
#include <vector>

#include "heron/error.h"
#include "heron/matches.h"
#include "heron/sampler.h"
#include "options.h"
#include "rows.h"
#include "units.h"
#include "verbs.h"

namespace heron::cli {
namespace {

constexpr uint64_t kAtOnce = 8192;
// A row of every unit is likely to be among them: more at once, fewer units are tested again.
constexpr uint64_t kMatchesAtOnce = uint64_t{1} << 20;

// Calls use(rows) for each unit that is drawn, in the sampler's order.
template <class Use>
void draw(const Sampler& sampler, const Units& units, uint64_t count, const Context& context,
          Use use) {
  std::vector<uint64_t> drawn;
  for (uint64_t done = 0; done < count; done += drawn.size()) {
    context.check_cancelled();
    drawn.resize(std::min(count - done, kAtOnce));
    sampler.draw(done, drawn);
    for (const uint64_t unit : drawn) use(units[unit]);
  }
}

void check_count(const Request& request, uint64_t units, std::string_view name) {
  if (*request.count > units && !request.replace) {
    fail(ErrorKind::Argument, {}, "sample: -n ", *request.count, " is more than the ", units, ' ',
         name, " there are, and --replace was not given");
  }
}

// Drawn as from a table of the rows that match.
void sample_matches(Session& session, const Projection& columns, const Predicate& where) {
  const Request& request = session.request();
  if (request.by_group) fail(ErrorKind::Argument, {}, "sample: --where is not for --by-group");
  const Context& context = session.context();
  const Matches matches(where, context, session.counters());
  check_count(request, matches.size(), "rows that match");
  const uint64_t count = *request.count;
  if (count == 0) return print_rows(session, columns, RowRange{});
  const Sampler sampler(matches.size(), {.seed = session.seed(), .replace = request.replace});
  RowPrinter printer(session, columns, count);
  session.tell_seed();
  std::vector<uint64_t> drawn;
  for (uint64_t done = 0; done < count; done += drawn.size()) {
    drawn.resize(std::min(count - done, kMatchesAtOnce));
    sampler.draw(done, drawn);
    const std::vector<uint64_t> rows = matches.rows(drawn, context);
    for (std::span some(rows); !some.empty(); some = some.subspan(std::min(some.size(), kAtOnce))) {
      printer.show(some.first(std::min(some.size(), kAtOnce)));
    }
  }
  printer.finish();
}

void run(Session& session) {
  const Request& request = session.request();
  if (!request.count.has_value()) fail(ErrorKind::Argument, {}, "sample: -n is missing");
  const uint64_t count = *request.count;
  const Projection columns = session.projection();
  if (const auto where = session.where()) return sample_matches(session, columns, *where);
  const Units units(*columns.table(), request.by_group);
  check_count(request, units.size(), units.name());
  if (count == 0) return print_rows(session, columns, RowRange{});

  const Sampler sampler(units.size(), {.seed = session.seed(), .replace = request.replace});
  const Context& context = session.context();
  uint64_t total = count;
  if (request.by_group) {
    total = 0;
    draw(sampler, units, count, context, [&](RowRange rows) { total += rows.rows(); });
  }
  RowPrinter printer(session, columns, total);
  session.tell_seed();
  std::vector<uint64_t> gathered;
  draw(sampler, units, count, context, [&](RowRange rows) {
    while (rows.first < rows.last) {
      gathered.push_back(rows.first++);
      if (gathered.size() < kAtOnce) continue;
      printer.show(gathered);
      gathered.clear();
    }
  });
  printer.show(gathered);
  printer.finish();
}

}  // namespace

Verb sample_verb() {
  return {"sample",
          "random rows, the same for the same seed",
          {{"heron sample data.jay -n 256 --seed 7", "256 different rows"},
           {"heron sample data.jay -n 10 --replace -o jsonl", "each drawn from all"},
           {"heron sample letor.bin -n 20 --by-group", "all rows of 20 queries"},
           {"heron sample data.jay -n 256 --where \"price > 3.5\"", "of rows that match"}},
          {kFile},
          row_options({kSampleCount, kSeed, kReplace, kByGroup, kWhere}),
          run};
}

}  // namespace heron::cli
