#include <optional>

#include "heron/error.h"
#include "heron/scan.h"
#include "verbs/shared/groups.h"

#include "base/fail.h"
#include "heron/text.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct CountVerbOptions {
  std::optional<uint64_t> top;
};
constexpr Option kTop{.names = "--top",
                      .value = "N",
                      .what = "print only the N groups of --by with the most rows",
                      .read = into<&CountVerbOptions::top>,
                      .min = 1,
                      .elsewhere = "-n --limit --head --first --most-common"};

void run_count(Session& session) {
  const Query query = session.query();
  const std::optional<uint64_t> top = session.get<CountVerbOptions>().top;
  if (!session.get<GroupOptions>().by.empty()) return print_counts(session, query, top);
  if (top) fail(ErrorKind::Argument, {}, "count: --top needs --by");
  if (session.get<OutputOptions>().output == "csv") {
    fail(ErrorKind::Argument, {}, "count: -o csv needs --by");
  }
  append_number(session.out(), count(query, session.context()));
  session.out().append('\n');
}

}  // namespace

Verb count_verb() {
  return {"count",
          "print how many rows there are, match, or are in each group",
          {{"heron count data.jay", "all rows"},
           {"heron count data.jay --where \"price > 3.5 or city is null\"", "rows that match"},
           {"heron count data.jay --by city", "a line for each city, the most rows first"},
           {"heron count data.jay --by city --top 20", "the 20 cities with the most rows"}},
          {kFile},
          opening_options({kWhere, kParameter, kGroupBy, kTop, kTable, kSkipDamaged, kOutputRecords,
                           kTo, kForce}),
          run_count,
          {},
          {{"wc len nrows rowcount nrow", "to count rows", "heron count FILE"},
           {"freq frequency value_counts value-counts uniq unique histogram hist tally",
            "to count rows by value", "heron count FILE --by A"}}};
}

}  // namespace heron::cli
