#include "heron/query.h"
#include "options.h"
#include "output/values_text.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_count(Session& session) {
  const std::optional<Predicate> where = session.where();
  append_number(session.out(), where ? count(*where, session.context(), session.metrics())
                                     : session.table()->rows());
  session.out().append('\n');
}

}  // namespace

Verb count_verb() {
  return {"count",
          "how many rows there are, or for how many a condition is true",
          {{"heron count data.jay", "a number"},
           {"heron count data.jay --where \"price > 3.5 or city is null\"", "of such rows"}},
          {kFile},
          opening_options({kWhere, kTable, kSkipDamaged, kOutputDocument, kTo, kForce}),
          run_count};
}

}  // namespace heron::cli
