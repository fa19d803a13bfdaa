#include "options.h"
#include "output/values_text.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run(Session& session) {
  append_number(session.out(), session.table()->rows());
  session.out().append('\n');
}

}  // namespace

Verb count_verb() {
  return {"count",
          "how many rows there are",
          {{"heron count data.jay", "a number"}},
          {kFile},
          opening_options({kTable, kOutputDocument}),
          run};
}

}  // namespace heron::cli
